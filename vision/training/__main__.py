"""Trains all networks from nothing: `python -m vision.training --data FOLDER --seed 0 --out DIR`.

Those for dice (`dice`), then the finders of pieces and what looks at whole streets, the recognizer of tokens, and what
tells which of them lie (`pieces_data`, `pieces_train`), and whether a token is there at all (`presence`); at last it
prints what is calibrated by them (`calibrate`, `calibrate_tokens`). By the same seed and data, on one machine, the same
files come out, byte by byte.
"""

import argparse
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from vision.training import calibrate, calibrate_tokens, dice, pieces_data, pieces_train, presence


def main() -> None:
    """Runs one part after the other."""
    parser = argparse.ArgumentParser("python -m vision.training", description=__doc__)
    parser.add_argument("--data", help="folder of labelled photographs of dice (manifest.jsonl)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks (.onnx)")
    parser.add_argument("--resume", type=Path, help="folder of networks (.onnx) to go on from")
    parser.add_argument("--scale", type=float, default=1.0, help="of all counts; 0.001 for a trial")
    parser.add_argument("--device", default="cpu", help="of PyTorch; cuda for a GPU")
    options = parser.parse_args()

    def some(count: int) -> str:
        return str(max(ceil(options.scale * count), 2))

    known = [f"--data={options.data}"] if options.data else []
    known += [f"--resume={options.resume}"] if options.resume else []
    known += [f"--scale={options.scale}", f"--device={options.device}", f"--seed={options.seed}"]
    dice.main([*known, f"--out={options.out}"])
    with TemporaryDirectory(dir=options.out) as folder:
        for name, tables in pieces_data.TABLES.items():
            file, first = f"{name}.onnx", f"--first={20000 + 10000 * options.seed}"
            made, seed = f"--out={options.out / file}", f"--seed={options.seed}"
            told = [f"--tables={some(tables)}", f"--steps={some(pieces_train.STEPS[name])}"]
            if options.resume:
                told += [f"--start={options.resume / file}"]
            elif name.endswith(pieces_train.FROM_LOW):
                told += [f"--start={options.out / name.removesuffix(pieces_train.FROM_LOW)}.onnx"]
            pieces_train.main([name, made, seed, first, f"--device={options.device}", *told])
            if name.startswith("finder"):
                told = [f"--tables={some(pieces_train.SETTLED_ON)}", f"--steps={some(pieces_train.STEPS['whole'])}"]
                pieces_train.main([name, "--whole", made, seed, first, f"--start={options.out / file}", *told])
        models = f"--models={options.out}"
        presence.main([models, f"--data={folder}/presence", f"--tables={some(240)}"])
        calibrate.main([models, f"--pictures={some(400)}", f"--tables={some(12)}", f"--crops={some(4000)}"])
        calibrate_tokens.main([models, f"--data={folder}/tables", f"--tables={some(30)}"])


if __name__ == "__main__":
    main()
