//! The operations, by family.

mod atomic;
mod buffer;
mod cast;
mod comparison;
mod composite;
mod constant;
mod control;
mod debug;
mod dispatch;
mod elementary;
mod elementwise;
mod float;
mod function;
mod integer;
mod linear;
mod memory;

pub use atomic::{AtomicCompareExchange, AtomicRmw};
pub use buffer::{BufferElement, BufferRead, BufferSize, BufferWrite};
pub use cast::{Bitcast, ExtF, ExtSI, ExtUI, FPToSI, FPToUI, SIToFP, TruncF, TruncI, UIToFP};
pub use comparison::{All, Any, CmpF, CmpI, Select};
pub use composite::{Build, Extract, ExtractDynamic, Insert, InsertDynamic, Shuffle, Splat, path_type};
pub use constant::Constant;
pub(crate) use control::negated;
pub use control::{Br, CondBr, Return, SwitchBr, SwitchCase, Unreachable};
pub use debug::{Assert, Assume, FormatPiece, Print, format_pieces};
pub use dispatch::{Barrier, BlockId, BlockSize, DispatchId, DispatchSize, ThreadId};
pub use elementary::{
    Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cbrt, Cos, Cosh, Exp, Exp2, Exp10, Expm1, Log, Log1p, Log2, Log10,
    Pow, Sin, Sinh, Tan, Tanh,
};
pub use float::{
    AbsF, AddF, Ceil, ClampF, CopySign, DivF, Floor, Fma, Fract, MaxF, MinF, MulF, NegF, RemF, Round, RoundEven, Rsqrt,
    Sign, Sqrt, SubF, Trunc,
};
pub use function::{BlockShape, Call, Callable, External, Kernel, LARGEST_BLOCK};
pub use integer::{
    AbsI, AddI, AndI, BitReverse, Clz, Ctz, DivSI, DivUI, MaxSI, MaxUI, MinSI, MinUI, MulHSI, MulHUI, MulI, OrI,
    PopCount, RemSI, RemUI, RotlI, RotrI, ShlI, ShrSI, ShrUI, SubI, XorI,
};
pub use linear::{
    Cross, Determinant, Distance, Dot, Inverse, Length, MatMul, MatrixScale, Normalize, Shape, Transpose, product_type,
};
pub use memory::{Alloca, DYNAMIC, Gep, GepIndex, Load, Store};

use fermata_ir::OperationView;
use fermata_ir::operation::OperationDeclaration;

/// All operations, in the order of the reference page.
pub(crate) static OPERATIONS: &[&OperationDeclaration] = &[
    Constant::DECLARATION,
    AddI::DECLARATION,
    SubI::DECLARATION,
    MulI::DECLARATION,
    MulHSI::DECLARATION,
    MulHUI::DECLARATION,
    DivSI::DECLARATION,
    DivUI::DECLARATION,
    RemSI::DECLARATION,
    RemUI::DECLARATION,
    AndI::DECLARATION,
    OrI::DECLARATION,
    XorI::DECLARATION,
    ShlI::DECLARATION,
    ShrSI::DECLARATION,
    ShrUI::DECLARATION,
    RotlI::DECLARATION,
    RotrI::DECLARATION,
    MinSI::DECLARATION,
    MinUI::DECLARATION,
    MaxSI::DECLARATION,
    MaxUI::DECLARATION,
    AbsI::DECLARATION,
    PopCount::DECLARATION,
    Clz::DECLARATION,
    Ctz::DECLARATION,
    BitReverse::DECLARATION,
    AddF::DECLARATION,
    SubF::DECLARATION,
    MulF::DECLARATION,
    DivF::DECLARATION,
    RemF::DECLARATION,
    MinF::DECLARATION,
    MaxF::DECLARATION,
    CopySign::DECLARATION,
    NegF::DECLARATION,
    AbsF::DECLARATION,
    Sqrt::DECLARATION,
    Rsqrt::DECLARATION,
    Floor::DECLARATION,
    Ceil::DECLARATION,
    Trunc::DECLARATION,
    Round::DECLARATION,
    RoundEven::DECLARATION,
    Fract::DECLARATION,
    Sign::DECLARATION,
    Fma::DECLARATION,
    ClampF::DECLARATION,
    Sin::DECLARATION,
    Cos::DECLARATION,
    Tan::DECLARATION,
    Asin::DECLARATION,
    Acos::DECLARATION,
    Atan::DECLARATION,
    Atan2::DECLARATION,
    Sinh::DECLARATION,
    Cosh::DECLARATION,
    Tanh::DECLARATION,
    Asinh::DECLARATION,
    Acosh::DECLARATION,
    Atanh::DECLARATION,
    Exp::DECLARATION,
    Exp2::DECLARATION,
    Exp10::DECLARATION,
    Expm1::DECLARATION,
    Log::DECLARATION,
    Log2::DECLARATION,
    Log10::DECLARATION,
    Log1p::DECLARATION,
    Pow::DECLARATION,
    Cbrt::DECLARATION,
    CmpI::DECLARATION,
    CmpF::DECLARATION,
    Select::DECLARATION,
    Any::DECLARATION,
    All::DECLARATION,
    ExtSI::DECLARATION,
    ExtUI::DECLARATION,
    TruncI::DECLARATION,
    SIToFP::DECLARATION,
    UIToFP::DECLARATION,
    FPToSI::DECLARATION,
    FPToUI::DECLARATION,
    ExtF::DECLARATION,
    TruncF::DECLARATION,
    Bitcast::DECLARATION,
    Build::DECLARATION,
    Splat::DECLARATION,
    Extract::DECLARATION,
    Insert::DECLARATION,
    ExtractDynamic::DECLARATION,
    InsertDynamic::DECLARATION,
    Shuffle::DECLARATION,
    Dot::DECLARATION,
    Cross::DECLARATION,
    Length::DECLARATION,
    Distance::DECLARATION,
    Normalize::DECLARATION,
    MatMul::DECLARATION,
    MatrixScale::DECLARATION,
    Transpose::DECLARATION,
    Inverse::DECLARATION,
    Determinant::DECLARATION,
    Alloca::DECLARATION,
    Load::DECLARATION,
    Store::DECLARATION,
    Gep::DECLARATION,
    BufferRead::DECLARATION,
    BufferWrite::DECLARATION,
    BufferSize::DECLARATION,
    BufferElement::DECLARATION,
    AtomicRmw::DECLARATION,
    AtomicCompareExchange::DECLARATION,
    DispatchId::DECLARATION,
    DispatchSize::DECLARATION,
    ThreadId::DECLARATION,
    BlockId::DECLARATION,
    BlockSize::DECLARATION,
    Barrier::DECLARATION,
    Kernel::DECLARATION,
    Callable::DECLARATION,
    External::DECLARATION,
    Call::DECLARATION,
    Br::DECLARATION,
    CondBr::DECLARATION,
    SwitchBr::DECLARATION,
    Return::DECLARATION,
    Unreachable::DECLARATION,
    Assert::DECLARATION,
    Assume::DECLARATION,
    Print::DECLARATION,
];
