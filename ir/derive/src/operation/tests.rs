//! What the checks of formats refuse, and what they let pass.
