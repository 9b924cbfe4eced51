"""LLVM lit's configuration of this folder.

Run by hand:  python3 /usr/lib/llvm-19/build/utils/lit/lit.py -v test
Parameters:   llvm_prefix (LLVM 19's folder), tools_folder (where coro-opt lies), output_folder (scratch files)

The Rust runner in test/runner reads the same files; `cargo test` compares the verdicts of both.
"""

import os
import subprocess

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
llvm_prefix = lit_config.params.get("llvm_prefix", os.environ.get("LLVM_SYS_191_PREFIX", "/usr/lib/llvm-19"))
llvm_programs = os.path.join(llvm_prefix, "bin")
tools_folder = lit_config.params.get("tools_folder", os.path.join(root, "target", "debug"))
output_folder = lit_config.params.get("output_folder", os.path.join(root, "target", "lit"))

# examples/lit.cfg.py loads this file too; the runner tells the suites apart by their names.
config.test_source_root = config.test_source_root or os.path.join(root, "test")
config.name = os.path.basename(config.test_source_root)
config.test_exec_root = os.path.join(output_folder, config.name)
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".xir", ".test"]
config.excludes = ["runner", "Inputs"]

config.environment["PATH"] = os.pathsep.join([llvm_programs, config.environment["PATH"]])
config.environment["NO_COLOR"] = "1"

config.substitutions.insert(0, ("%coro-opt", os.path.join(tools_folder, "coro-opt")))
config.substitutions.insert(0, ("%coro-run", os.path.join(tools_folder, "coro-run")))
config.substitutions.insert(0, ("%mlir-opt", os.path.join(llvm_programs, "mlir-opt")))

if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if os.path.exists(os.path.join(llvm_programs, "mlir-opt")):
    config.available_features.add("mlir-opt")
targets = subprocess.run([os.path.join(llvm_programs, "llvm-config"), "--targets-built"], capture_output=True, text=True)
if "NVPTX" in targets.stdout.split():
    config.available_features.add("nvptx")
