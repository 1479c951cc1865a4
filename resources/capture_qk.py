#!/usr/bin/env python3
"""Captures the queries, keys and values of one layer of a Hugging Face model, before RoPE, for Phaseladder.

    python3 capture_qk.py MODEL "some text" --layer 3 -o qk.safetensors
    phaseladder figure attention --set capture.queries=qk.safetensors \\
        --set capture.labels=qk.tokens.json --set causal=on -o map.png

Needs torch and transformers to capture; the files are written with plain Python. As a library:

    captured = capture(model, layer=3, run=lambda: model(**inputs))
    write_capture("qk.safetensors", captured, tokens)

What is written: tensors q, k and v as heads × tokens × channels in float32 (k and v have fewer heads in a model
with grouped heads), the tokens as a JSON list beside them, and in the file's __metadata__ the model, the layer,
"before rotation" and the path of the model's config.json, whose ladder would turn them.
"""
import argparse
import array
import json
import pathlib
import struct
import sys

QUERY_NAMES = ("q_proj", "query", "wq", "q_lin")
KEY_NAMES = ("k_proj", "key", "wk", "k_lin")
VALUE_NAMES = ("v_proj", "value", "wv", "v_lin")
FUSED_NAMES = ("c_attn", "query_key_value", "qkv_proj", "Wqkv")
QUERY_NORMS = ("q_norm", "q_layernorm")
KEY_NORMS = ("k_norm", "k_layernorm")
LAYER_LISTS = ("model.layers", "model.decoder.layers", "language_model.model.layers", "transformer.h", "h",
               "gpt_neox.layers", "layers", "encoder.layer", "bert.encoder.layer", "transformer.blocks")
ATTENTION_NAMES = ("self_attn", "self_attention", "attention", "attn")


def member(module, path):
    """The submodule at a dotted path, or None."""
    for name in path.split("."):
        module = getattr(module, name, None)
        if module is None:
            return None
    return module


def first_of(module, names):
    """The first of some submodules that is there, or None."""
    return next((found for found in (member(module, name) for name in names) if found is not None), None)


def attention_of(model, layer):
    """The attention module of a layer."""
    layers = first_of(model, LAYER_LISTS)
    if layers is None:
        raise ValueError("No list of layers found in the model; looked for " + ", ".join(LAYER_LISTS) + ".")
    if not 0 <= layer < len(layers):
        raise ValueError(f"Layer must be 0..{len(layers) - 1} (got {layer}).")
    block = layers[layer]
    attention = first_of(block, ATTENTION_NAMES) or block
    # BERT: layer.attention.self
    return member(attention, "self") or attention


def number_of(owners, names, default=None):
    """The first of some whole numbers that a module or its config has."""
    for owner in owners:
        for name in names:
            value = getattr(owner, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
    return default


def head_counts(attention, config, width):
    """Heads of the queries, heads of the keys, channels of a head."""
    owners = [owner for owner in (attention, getattr(attention, "config", None), config) if owner is not None]
    heads = number_of(owners, ("num_heads", "num_attention_heads", "n_head", "n_heads"))
    if heads is None:
        raise ValueError("The model does not say how many heads it has.")
    channels = number_of(owners, ("head_dim", "head_size", "attention_head_size"), width // heads)
    return heads, number_of(owners, ("num_key_value_heads", "num_kv_heads"), heads), channels


def heads_first(rows, channels):
    """batch × tokens × (heads · channels), or with heads apart, as heads × tokens × channels of one text."""
    if rows.shape[0] != 1:
        raise ValueError(f"One text at a time is captured (got a batch of {rows.shape[0]}).")
    rows = rows[0].reshape(rows.shape[1], -1, channels)
    return rows.transpose(0, 1).contiguous()


def split_fused(name, rows, heads, key_heads, channels):
    """Queries, keys and values, heads × tokens × channels each, of one fused projection."""
    batch, tokens, width = rows.shape
    if name == "query_key_value" and width == 3 * heads * channels:  # GPT-NeoX: q, k, v of each head in turn
        parts = rows.reshape(batch, tokens, heads, 3, channels).unbind(3)
        return tuple(heads_first(part.reshape(batch, tokens, -1), channels) for part in parts)
    sizes = (heads * channels, key_heads * channels, key_heads * channels)
    if sum(sizes) != width:
        raise ValueError(f"{name} gives {width} channels; q, k and v of {heads} and {key_heads} heads of "
                         f"{channels} are {sum(sizes)}.")
    return tuple(heads_first(part, channels) for part in rows.split(sizes, dim=-1))


def capture(model, layer, run):
    """Runs `run()` and returns {"q", "k", "v"} of a layer, heads × tokens × channels each, before rotation.

    Hooks look at what the projections give; where the model normalises queries and keys after them (q_norm,
    k_norm), at what the norms give.
    """
    attention = attention_of(model, layer)
    seen = {}
    hooks = []

    def watch(key, module):
        hooks.append(module.register_forward_hook(lambda _m, _i, output: seen.__setitem__(key, output.detach())))

    fused_name = next((name for name in FUSED_NAMES if member(attention, name) is not None), None)
    if fused_name is not None:
        watch("fused", member(attention, fused_name))
    else:
        for key, names in (("q", QUERY_NAMES), ("k", KEY_NAMES), ("v", VALUE_NAMES)):
            module = first_of(attention, names)
            if module is None:
                raise ValueError(f"No projection of {key} found in {type(attention).__name__}; looked for "
                                 + ", ".join(names + FUSED_NAMES) + ".")
            watch(key, module)
        for key, names in (("q_normal", QUERY_NORMS), ("k_normal", KEY_NORMS)):
            module = first_of(attention, names)
            if module is not None:
                watch(key, module)
    try:
        run()
    finally:
        for hook in hooks:
            hook.remove()
    missing = [key for key in (("fused",) if fused_name else ("q", "k", "v")) if key not in seen]
    if missing:
        raise ValueError(f"The run did not pass layer {layer}: nothing seen of " + ", ".join(missing) + ".")
    config = getattr(model, "config", None)
    if fused_name is not None:
        hidden = number_of([config] if config is not None else [], ("hidden_size", "n_embd", "d_model"),
                           seen["fused"].shape[-1] // 3)
        heads, key_heads, channels = head_counts(attention, config, hidden)
        queries, keys, values = split_fused(fused_name, seen["fused"], heads, key_heads, channels)
        return {"q": queries, "k": keys, "v": values}
    heads, _, channels = head_counts(attention, config, seen["q"].shape[-1])
    captured = {key: heads_first(seen[key], channels) for key in ("q", "k", "v")}
    for key in ("q", "k"):
        normal = seen.get(key + "_normal")
        if normal is not None:
            captured[key] = normalised(normal, captured[key])
    return captured


def normalised(normal, plain):
    """What a norm gave, in whichever order of dimensions it works, as heads × tokens × channels."""
    heads, tokens, channels = plain.shape
    if normal.dim() == 4 and tuple(normal.shape[1:3]) == (heads, tokens) and heads != tokens:
        return normal[0].contiguous()
    return heads_first(normal.reshape(1, tokens, heads * channels), channels)


def safetensors_bytes(tensors, metadata):
    """A .safetensors file. `tensors`: name -> (shape, flat list or array of floats)."""
    header = {"__metadata__": {key: str(value) for key, value in metadata.items()}}
    data = []
    offset = 0
    for name, (shape, numbers) in tensors.items():
        values = array.array("f", numbers)
        count = 1
        for length in shape:
            count *= length
        if len(values) != count:
            raise ValueError(f"{name} has {len(values)} numbers; its shape {list(shape)} has {count}.")
        if sys.byteorder == "big":
            values.byteswap()
        bytes_ = values.tobytes()
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [offset, offset + len(bytes_)]}
        offset += len(bytes_)
        data.append(bytes_)
    text = json.dumps(header).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(data)


def numbers_of(tensor):
    """Shape and numbers of a torch tensor, or of nested lists."""
    if hasattr(tensor, "detach"):
        flat = tensor.detach().float().cpu().contiguous().reshape(-1)
        numbers = array.array("f")
        try:
            numbers.frombytes(flat.numpy().tobytes())
        except RuntimeError:  # torch without numpy
            numbers.extend(flat.tolist())
        return tuple(tensor.shape), numbers
    shape = []
    while isinstance(tensor, (list, tuple)):
        shape.append(len(tensor))
        nested = tensor and isinstance(tensor[0], (list, tuple))
        if not nested:
            break
        tensor = [item for part in tensor for item in part]
    for index in range(len(shape) - 1, 0, -1):
        shape[index] //= shape[index - 1]
    return tuple(shape), tensor


def tokens_path(path):
    """Where the tokens of a capture lie: qk.safetensors -> qk.tokens.json."""
    path = pathlib.Path(path)
    return path.with_name(path.stem + ".tokens.json")


def write_capture(path, captured, tokens, model="", layer=0, config=""):
    """Writes the tensors, and the tokens as a JSON list beside them."""
    metadata = {"model": model, "layer": layer, "rotation": "before rotation", "axes": "heads x tokens x dim",
                "config": config}
    tensors = {name: numbers_of(tensor) for name, tensor in captured.items()}
    pathlib.Path(path).write_bytes(safetensors_bytes(tensors, metadata))
    tokens_path(path).write_text(json.dumps([str(token) for token in tokens], ensure_ascii=False), encoding="utf-8")


def config_path(name):
    """The model's config.json on this machine, or an empty text."""
    local = pathlib.Path(name) / "config.json"
    if local.is_file():
        return str(local)
    try:
        from transformers.utils import cached_file
        return cached_file(name, "config.json") or ""
    except (ImportError, OSError):
        return ""


def main():
    parser = argparse.ArgumentParser(description="Capture Q, K and V of one layer, before RoPE.")
    parser.add_argument("model", help="name or folder of a Hugging Face model")
    parser.add_argument("text", help="the text, or @FILE")
    parser.add_argument("--layer", type=int, default=0, help="from 0")
    parser.add_argument("-o", "--output", default="qk.safetensors")
    options = parser.parse_args()
    import torch
    from transformers import AutoModel, AutoTokenizer

    text = pathlib.Path(options.text[1:]).read_text(encoding="utf-8") if options.text.startswith("@") else options.text
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    model = AutoModel.from_pretrained(options.model).eval()
    inputs = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        captured = capture(model, options.layer, lambda: model(**inputs))
    tokens = [tokenizer.decode([token]) for token in inputs["input_ids"][0].tolist()]
    write_capture(options.output, captured, tokens, options.model, options.layer, config_path(options.model))
    shapes = ", ".join(f"{name} {list(tensor.shape)}" for name, tensor in captured.items())
    print(f"{options.output}: {shapes}; tokens in {tokens_path(options.output)}")


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        sys.exit(f"capture_qk.py: {error}")
