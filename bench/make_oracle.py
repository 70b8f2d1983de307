"""Writes tests/models/oracle.json: what the encoders must give, by the native libraries.

    python bench/make_oracle.py

Token ids come from the Rust tokenizer, vectors from onnxruntime on the float32 graph, one text at a time. The
texts are chosen to hurt: many scripts, emoji, whitespace, control characters, special tokens, nothing, much.
"""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path

import numpy as np

from hinny.models.embedder import TextEmbedder
from hinny.models.store import ModelStore
from hinny.platform.cpython import cpython_platform

MODEL = "minilm-l6-float32"
OUT = Path(__file__).parents[1] / "tests" / "models" / "oracle.json"

TEXTS = [
    "",
    " ",
    "\t \n\n ",
    "How do I create a partial index?",
    "  spaces   before,  inside \t and\nafter  ",
    "Der Größenvergleich überraschte die Straßenbahnfahrerin — Äußerst schön!",
    "L’été dernier, j’ai déjà goûté à la crème brûlée.",
    "Быстрая коричневая лиса перепрыгивает через ленивую собаку.",
    "Ο γρήγορος σκύλος ΣΊΣΥΦΟΣ",
    "البحث السريع في الوثائق",
    "חיפוש מהיר במסמכים",
    "हिन्दी में खोज करना आसान है।",
    "การค้นหาภาษาไทยโดยไม่มีช่องว่าง",
    "全文検索はとても便利です。カタカナも。",
    "如何创建一个索引？数据库2024年",
    "빠른 검색 엔진을 만드는 방법",
    "Tiếng Việt có nhiều dấu: ở, ữ, ộ, ằ.",
    "İstanbul ışıkları, ŞĞÜÖÇ",
    "e\u0301cole, A\u030angstrom, n\u0303 (combining marks)",
    "👩‍👩‍👧‍👦 family, 🇩🇪 flag, 👍🏽 thumbs, ❤️ heart",
    "zero\u200bwidth, soft\u00adhyphen, no\u00a0break, \ufeffmark",
    "control \u0000 \u0001 \u007f \u0085 characters \ufffd",
    "[CLS] the model's own [SEP] words [MASK] [PAD] [UNK]",
    "SELECT * FROM t WHERE a>=1 AND b<>'x'; -- comment",
    "Array.prototype.push() vs std::vector<int>::push_back(&&x)",
    "https://example.org/a/b?c=d&e=%20f#g user@example.org 192.168.0.1",
    "3.14159 1,000,000 1e-10 0xFF ½ ² Ⅷ ①",
    "ﬁne ﬂoor ﬃ ｆｕｌｌｗｉｄｔｈ Ａ Ｂ",
    "“quotes” ‘single’ «guillemets» … – — • · ‽ ¿¡",
    "a" * 120 + " " + "pneumonoultramicroscopicsilicovolcanoconiosis",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙𝟚 𐍈 𒀀 \ue000",
    " ".join(f"Sentence number {i} says that vacuum reclaims the space of dead rows." for i in range(60)),
]


async def make() -> dict[str, object]:
    """The oracle's content."""
    store = ModelStore()
    embedder = TextEmbedder(store.pin(MODEL), cpython_platform(store))
    tokens = await embedder.tokenize(TEXTS)
    vectors = np.stack([await embedder.embed_query(text) for text in TEXTS])
    await embedder.dispose()
    return {
        "model": MODEL,
        "texts": TEXTS,
        "tokens": tokens,
        "vectors": base64.b64encode(vectors.astype("<f4").tobytes()).decode(),
    }


if __name__ == "__main__":
    content = asyncio.run(make())
    OUT.write_text(json.dumps(content, ensure_ascii=True, indent=None, separators=(",\n", ":")) + "\n")
    print(f"{len(TEXTS)} texts, {OUT.stat().st_size:,} bytes")
