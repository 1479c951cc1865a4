#!/usr/bin/env python3
"""Writes the seeds of the fuzzers into tests/fuzz/corpus. Files named finding-* there are inputs that a fuzzer once found
something with; they stay. The streams between the program and its GPU helper are written by make_streams.cpp beside this.

    tests/fuzz/make_corpus.py [PROGRAM]     with the program, also the words that scenes are made of (scene.dict)
"""
import json
import pathlib
import struct
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
# One of each family of settings: plain, linear, dynamic, yarn, longrope, llama3, proportional, layers that differ, partial
# rotary, multi-head latent attention, M-RoPE, ALiBi, T5, learned.
CONFIGS = """llama-2-7b llama-3.1-8b llama-2-7b-32k-together yarn-llama-2-7b-64k yarn-mistral-7b-128k qwen2.5-yarn-128k-recipe
    deepseek-v3 phi-3.5-mini phi-2 pythia-410m gpt-j-6b stablelm-3b chatglm3-6b falcon-7b bloom-560m t5-defaults gpt2
    gemma-3-4b-it gemma-4-text-defaults gpt-oss-20b qwen2-vl-7b qwen3-vl-yarn-recipe smollm3-3b roberta-base""".split()


def save(kind, name, data):
    folder = FOLDER / "corpus" / kind
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def npy(header, data=b"", version=1, length=None):
    size = len(header) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", size) + header.encode() + data


def dictionary(descr="<f4", fortran=False, shape="(2, 3)"):
    return f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"


def safetensors(tensors, data=b"", pad=0, length=None):
    header = json.dumps(tensors, separators=(",", ":")).encode() + b" " * pad
    return struct.pack("<Q", len(header) if length is None else length) + header + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def make_npy():
    for version in (1, 2, 3):
        save("npy", f"version{version}.npy", npy(dictionary(), struct.pack("<6f", *range(6)), version))
    for descr, size in (("<f2", 2), ("<f4", 4), ("<f8", 8)):
        for fortran in (False, True):
            save("npy", f"{descr[1:]}_{'fortran' if fortran else 'c'}.npy", npy(dictionary(descr, fortran), bytes(6 * size)))
    save("npy", "number.npy", npy(dictionary(shape="()"), bytes(4)))
    save("npy", "none.npy", npy(dictionary(shape="(0, 5)")))
    save("npy", "rank4.npy", npy(dictionary(shape="(1, 2, 1, 2)"), bytes(16)))
    save("npy", "rank5.npy", npy(dictionary(shape="(1, 1, 1, 1, 1)"), bytes(4)))
    save("npy", "huge.npy", npy(dictionary(shape="(65536, 65536)")))
    save("npy", "overflow.npy", npy(dictionary(shape="(9223372036854775807, 2)")))
    save("npy", "object.npy", npy(dictionary("|O"), bytes(48)))
    save("npy", "code.npy", npy("{'descr': __import__('os'), }"))
    save("npy", "long_header.npy", npy(dictionary(), length=10001))
    save("npy", "python2.npy", npy(dictionary(shape="(2L, 3L)"), bytes(24)))


def make_safetensors():
    save("safetensors", "one.safetensors", safetensors({"q": tensor("F32", [2, 2], 0, 16)}, bytes(16)))
    save("safetensors", "types.safetensors", safetensors(
        {"a": tensor("F16", [2], 0, 4), "b": tensor("BF16", [2], 4, 8), "c": tensor("F32", [1], 8, 12),
         "d": tensor("F64", [1], 12, 20), "e": tensor("I64", [1], 20, 28), "f": tensor("F8_E4M3", [4], 28, 32)}, bytes(32)))
    save("safetensors", "none.safetensors", safetensors({}))
    save("safetensors", "empty_tensor.safetensors", safetensors({"q": tensor("F32", [0, 4], 0, 0)}))
    save("safetensors", "number.safetensors", safetensors({"q": tensor("F64", [], 0, 8)}, bytes(8)))
    save("safetensors", "padded.safetensors", safetensors({"q": tensor("F32", [1], 0, 4)}, bytes(4), pad=7))
    save("safetensors", "metadata.safetensors",
         safetensors({"__metadata__": {"format": "pt"}, "wpe.weight": tensor("F32", [2, 1], 0, 8)}, bytes(8)))
    save("safetensors", "overlap.safetensors",
         safetensors({"q": tensor("F32", [2], 0, 8), "k": tensor("F32", [2], 4, 12)}, bytes(12)))
    save("safetensors", "gap.safetensors",
         safetensors({"q": tensor("F32", [1], 0, 4), "k": tensor("F32", [1], 8, 12)}, bytes(12)))
    save("safetensors", "overflow.safetensors", safetensors({"q": tensor("F32", [2**62, 8], 0, 8)}, bytes(8)))
    save("safetensors", "trailing.safetensors", safetensors({"q": tensor("F32", [1], 0, 4)}, bytes(300)))
    save("safetensors", "claim.safetensors", safetensors({}, length=2**63))
    save("safetensors", "short.safetensors", b"1234567")


def make_config():
    for name in CONFIGS:
        model = json.loads((ROOT / "resources" / "models" / f"{name}.json").read_text())
        save("config", f"{name}.json", json.dumps(model["config"]))
    save("config", "whole_numbers.json", '{"model_type": "llama", "head_dim": 64, "rope_theta": 10000, "rope_scaling": '
         '{"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096}}')
    save("config", "nothing.json", "{}")


def make_scene(program):
    save("scene", "start.json", '{"phaseladder": 1, "tokens": ["dog", "bites", "man"], "order": [2, 1, 0]}')
    save("scene", "yarn.json", '{"phaseladder": 1, "scaling": "yarn", "scaling.factor": 4, "scaling.beta_fast": 32, '
         '"scaling.beta_slow": 1, "scaling.ramp": "code", "length.trained": 2048, "length.target": 8192}')
    save("scene", "longrope.json", '{"phaseladder": 1, "scaling": "longrope", "head_dim": 4, "scaling.short_factors": [1, 1.5], '
         '"scaling.long_factors": [1, 4]}')
    save("scene", "heads.json", '{"phaseladder": 1, "heads": 4, "head": 3, "layers": 2, "head_dim": 8, "encoding": "alibi", '
         '"causal": true, "text.length": 64, "view.by": "token", "view.values": "logits"}')
    save("scene", "figure.json", '{"id": "ladder", "panels": [], "scene": {"phaseladder": 1, "rope.theta": 500000}}')
    save("scene", "newer.json", '{"phaseladder": 99}')
    save("scene", "twice.json", '{"phaseladder": 1,\n"rope.theta": 1,\n"rope.theta": 2}')
    save("scene", "unknown.json", '{"phaseladder": 1, "rope.tehta": 10000}')
    save("scene", "texts.json", '{"phaseladder": 1, "tokens": ["", " ", "\\u0000", "\\ud83d\\ude00", "\u0628\u0627"]}')
    save("scene", "cut.json", '{"phaseladder": 1, "tokens": ["dog", "bi')
    save("scene", "llama.pldr", (ROOT / "resources" / "scenes" / "llama-3.1-8b-yarn.pldr").read_bytes())
    if program:
        rows = json.loads(subprocess.check_output([program, "list", "parameters", "--json"]))
        words = [f'"\\"{row["id"]}\\""' for row in rows]
        (FOLDER / "scene.dict").write_text("\n".join(['"\\"phaseladder\\": 1"', *words]) + "\n")


def make_config_words():
    words = set()
    for path in (FOLDER / "corpus" / "config").glob("*.json"):
        pending = [json.loads(path.read_text())]
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                words.update(value)
                pending.extend(value.values())
            elif isinstance(value, list):
                pending.extend(value)
            elif isinstance(value, str):
                words.add(value)
    (FOLDER / "config.dict").write_text("".join(f'"\\"{word}\\""\n' for word in sorted(words)))


if __name__ == "__main__":
    make_npy()
    make_safetensors()
    make_config()
    make_config_words()
    make_scene(sys.argv[1] if len(sys.argv) > 1 else None)
