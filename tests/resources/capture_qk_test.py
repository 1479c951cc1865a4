"""resources/capture_qk.py: the files that it writes, with plain Python, and what it captures, with torch where
that is installed. Prints a line for what is skipped."""
import json
import pathlib
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "resources"))
import capture_qk  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


def read_safetensors(path):
    """A reader of its own: header and tensors as flat lists."""
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    body = data[8 + length:]
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            tensors[name] = (tuple(entry["shape"]), struct.unpack(f"<{(end - begin) // 4}f", body[begin:end]))
    return header, tensors


class WrittenFiles(unittest.TestCase):
    def test_tensors_tokens_and_metadata_come_back(self):
        queries = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "qk.safetensors"
            capture_qk.write_capture(path, {"q": queries, "k": queries[:1]}, ["the ", "cät", "\n"], "m", 3, "c.json")
            header, tensors = read_safetensors(path)
            self.assertEqual(tensors["q"], ((2, 3, 2), tuple(float(n) for n in range(1, 13))))
            self.assertEqual(tensors["k"], ((1, 3, 2), tuple(float(n) for n in range(1, 7))))
            self.assertEqual(header["__metadata__"]["rotation"], "before rotation")
            self.assertEqual(header["__metadata__"]["layer"], "3")
            self.assertEqual(json.loads((path.parent / "qk.tokens.json").read_text(encoding="utf-8")),
                             ["the ", "cät", "\n"])

    def test_a_shape_that_does_not_fit_is_refused(self):
        with self.assertRaises(ValueError):
            capture_qk.safetensors_bytes({"q": ((2, 2), [1.0])}, {})


@unittest.skipIf(torch is None, "torch is not installed: captures are not tested")
class Captures(unittest.TestCase):
    HEADS, KEY_HEADS, CHANNELS, TOKENS = 4, 2, 8, 5

    def model_of(self, attention, list_name="layers"):
        class Config:
            num_attention_heads = self.HEADS
            num_key_value_heads = self.KEY_HEADS
            head_dim = self.CHANNELS
            hidden_size = 32

        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.self_attn = attention()

            def forward(self, x):
                return self.self_attn(x)

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.config = Config()
                setattr(self, list_name, torch.nn.ModuleList([Block(), Block()]))

            def forward(self, x):
                for block in getattr(self, list_name):
                    block(x)
                return x

        torch.manual_seed(1)
        return Model().eval()

    def test_projections_with_grouped_heads(self):
        test = self

        class Attention(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.q_proj = torch.nn.Linear(32, test.HEADS * test.CHANNELS)
                self.k_proj = torch.nn.Linear(32, test.KEY_HEADS * test.CHANNELS)
                self.v_proj = torch.nn.Linear(32, test.KEY_HEADS * test.CHANNELS)

            def forward(self, x):
                return self.q_proj(x), self.k_proj(x), self.v_proj(x)

        model = self.model_of(Attention)
        x = torch.randn(1, self.TOKENS, 32)
        found = capture_qk.capture(model, 1, lambda: model(x))
        attention = model.layers[1].self_attn
        self.assertEqual(tuple(found["q"].shape), (self.HEADS, self.TOKENS, self.CHANNELS))
        self.assertEqual(tuple(found["v"].shape), (self.KEY_HEADS, self.TOKENS, self.CHANNELS))
        want = attention.k_proj(x)[0, :, self.CHANNELS:2 * self.CHANNELS]
        self.assertTrue(torch.equal(found["k"][1], want))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "qk.safetensors"
            capture_qk.write_capture(path, found, range(self.TOKENS))
            _, tensors = read_safetensors(path)
            self.assertEqual(tensors["q"][1], tuple(found["q"].reshape(-1).tolist()))

    def test_norms_after_the_projections(self):
        test = self

        class Attention(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.q_proj = torch.nn.Linear(32, test.HEADS * test.CHANNELS)
                self.k_proj = torch.nn.Linear(32, test.KEY_HEADS * test.CHANNELS)
                self.v_proj = torch.nn.Linear(32, test.KEY_HEADS * test.CHANNELS)
                self.q_norm = torch.nn.LayerNorm(test.CHANNELS)
                self.k_norm = torch.nn.LayerNorm(test.CHANNELS)

            def forward(self, x):
                self.v_proj(x)
                apart = (1, test.TOKENS, -1, test.CHANNELS)
                return self.q_norm(self.q_proj(x).view(apart)), self.k_norm(self.k_proj(x).view(apart).transpose(1, 2))

        model = self.model_of(Attention)
        x = torch.randn(1, self.TOKENS, 32)
        found = capture_qk.capture(model, 0, lambda: model(x))
        attention = model.layers[0].self_attn
        want = attention.q_norm(attention.q_proj(x)[0, :, :self.CHANNELS])
        self.assertTrue(torch.allclose(found["q"][0], want, atol=1e-6))
        want = attention.k_norm(attention.k_proj(x)[0, :, self.CHANNELS:])
        self.assertTrue(torch.allclose(found["k"][1], want, atol=1e-6))

    def test_fused_projections(self):
        test = self

        class Fused(torch.nn.Module):
            def __init__(self, name):
                super().__init__()
                self.name = name
                setattr(self, name, torch.nn.Linear(32, 3 * test.HEADS * test.CHANNELS))

            def forward(self, x):
                return getattr(self, self.name)(x)

        x = torch.randn(1, self.TOKENS, 32)
        for name in ("c_attn", "query_key_value"):
            model = self.model_of(lambda name=name: Fused(name))
            model.config.num_key_value_heads = self.HEADS
            found = capture_qk.capture(model, 0, lambda model=model: model(x))
            rows = model.layers[0].self_attn(x)[0]
            step = self.CHANNELS
            # c_attn: all q, all k, all v; query_key_value: q, k, v of each head in turn.
            begin = (self.HEADS + 1) * step if name == "c_attn" else 4 * step
            self.assertTrue(torch.equal(found["k"][1], rows[:, begin:begin + step]), name)

    def test_a_layer_that_is_not_there_is_said(self):
        model = self.model_of(torch.nn.Identity)
        with self.assertRaisesRegex(ValueError, "Layer must be 0..1"):
            capture_qk.capture(model, 2, lambda: None)
        with self.assertRaisesRegex(ValueError, "No projection of q found"):
            capture_qk.capture(model, 0, lambda: None)


if __name__ == "__main__":
    unittest.main(verbosity=2)
