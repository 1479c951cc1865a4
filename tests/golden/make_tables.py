"""Small number tables as other programs write them: makes tables/. Needs numpy and safetensors (0.8).

The number at place (i, j, k ...) is always 1 + i - j/8 + 16 k - l/4 ..., exact in every type (weights below), so the
tests need no copy of it.
"""
import pathlib

import numpy as np
import safetensors
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parent / "tables"
WEIGHTS = (1, -1 / 8, 16, -1 / 4)


def table(*shape):
    places = np.indices(shape, dtype=np.float64)
    return 1 + sum((weight * place for weight, place in zip(WEIGHTS, places)), np.zeros(shape))


def npy(name, array, version=(1, 0)):
    with open(FOLDER / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


FOLDER.mkdir(exist_ok=True)
npy("f8", table(3, 5))
npy("f4", table(3, 5).astype("<f4"))
npy("f2", table(3, 5).astype("<f2"))
npy("f8_fortran", np.asfortranarray(table(3, 5)))
npy("f2_fortran_rank4", np.asfortranarray(table(2, 3, 4, 2).astype("<f2")))
npy("f4_rank4", table(2, 3, 4, 2).astype("<f4"))
npy("f4_batch", table(3, 5).astype("<f4")[None])
npy("version2", table(3, 5), version=(2, 0))
npy("version3", table(3, 5), version=(3, 0))
npy("scalar", np.array(1.0))
npy("vector", table(7))
npy("empty", np.zeros((0, 5)))
npy("object", np.array([{}, []], dtype=object))
npy("records", np.zeros(2, dtype=[("a", "<f4"), ("b", "<f8")]))
npy("big_endian", table(3, 5).astype(">f8"))
npy("whole_numbers", np.arange(6).reshape(2, 3))
npy("rank5", np.zeros((1, 2, 1, 2, 1)))
np.savez(FOLDER / "two.npz", a=table(3, 5), b=table(2, 2))

save_file({"wpe.weight": table(3, 5).astype("<f4"), "wte.weight": table(4, 5).astype("<f4"),
           "h.0.ln_1.weight": table(5).astype("<f4"), "position_ids": np.arange(3)[None]},
          FOLDER / "gpt2.safetensors", metadata={"format": "pt"})
save_file({f"{side}.embed_positions.weight": table(3, 5).astype("<f2") for side in ("encoder", "decoder")},
          FOLDER / "bart.safetensors")


def spec(kind, array, *shape):
    return safetensors.TensorSpec(dtype=kind, shape=shape, data_ptr=array.ctypes.data, data_len=array.nbytes)


numbers = {name: table(3, 5).astype(name) for name in ("<f2", "<f4", "<f8")}
upper_halves = (numbers["<f4"].view("<u4") >> 16).astype("<u2")
eighths, one, nothing = np.zeros((3, 5), "u1"), table(1), np.zeros((0, 5), "<f4")
(FOLDER / "types.safetensors").write_bytes(safetensors.serialize({
    "bfloat16": spec("bfloat16", upper_halves, 3, 5),
    "half": spec("float16", numbers["<f2"], 3, 5),
    "single": spec("float32", numbers["<f4"], 3, 5),
    "double": spec("float64", numbers["<f8"], 3, 5),
    "eighth": spec("float8_e4m3fn", eighths, 3, 5),
    "vit.pos_embed": spec("float32", numbers["<f4"], 1, 3, 5),
    "one": spec("float64", one),
    "nothing": spec("float32", nothing, 0, 5),
}))
