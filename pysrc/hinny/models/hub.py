"""Pins a model of the hub: asks its API for the revision, the files and their hashes.

`GET /api/models/<repo>/revision/<revision>?blobs=true` names the commit and, for each file, its size
and, where Git LFS keeps it, its SHA-256. A small file has only Git's own hash there; it is downloaded,
checked against that, and hashed.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from hinny.errors import FetchFailed, IntegrityError, InvalidInput, OfflineError
from hinny.models.pins import HUB, Kind, ModelPin, PinnedFile, Role

_TIMEOUT = 30.0
_SMALL = 64_000_000
"""No file that Git itself keeps, without LFS, is near this size."""

_GRAPHS = (
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
    "model_int8.onnx",
    "onnx/model_uint8.onnx",
    "onnx/model_q4.onnx",
    "onnx/model.onnx",
    "model.onnx",
)


def describe(
    repository: str,
    revision: str = "main",
    *,
    base_url: str | None = None,
    kind: Kind | None = None,
    id: str | None = None,
    graph: str | None = None,
    offline: bool = False,
) -> ModelPin:
    """A pin of `repository`, its settings read from the files that the repository carries.

    Raises `FetchFailed` when the hub does not answer or the repository holds no graph or tokenizer,
    `InvalidInput` when its kind cannot be told and none was given.
    """
    if offline:
        raise OfflineError(f"pinning {repository} asks the hub, and offline mode is on")
    repo = _Repository(repository, revision, base_url or HUB)
    path = graph or next((name for name in _GRAPHS if name in repo), None)
    if path is None or path not in repo:
        found = sorted(name for name in repo.names if name.endswith(".onnx"))
        raise FetchFailed(
            f"{repository} has no {path or 'graph that is known by name'}: it has {found or 'no .onnx file'}"
        )
    roles: list[tuple[Role, str]] = [("graph", path)]
    if "tokenizer.json" not in repo:
        raise FetchFailed(f"{repository} has no tokenizer.json")
    roles.append(("tokenizer", "tokenizer.json"))
    if "tokenizer_config.json" in repo:
        roles.append(("tokenizer_config", "tokenizer_config.json"))
    files = tuple(repo.pin(role, name) for role, name in roles)
    settings = _settings(repo, kind)
    return ModelPin.from_dict(
        {
            "id": id or repository.rsplit("/", 1)[-1].lower(),
            "source": "hub",
            "repository": repository,
            "revision": repo.revision,
            "licence": repo.licence,
            "confirmed": False,
            "files": [{"role": f.role, "path": f.path, "bytes": f.bytes, "sha256": f.sha256} for f in files],
            **settings,
        }
    )


class _Repository:
    """One revision's list of files, and their contents when asked."""

    def __init__(self, repository: str, revision: str, base: str) -> None:
        self._base = base.rstrip("/")
        self.repository = repository
        quoted = urllib.parse.quote(revision, safe="")
        answer = _get_json(f"{self._base}/api/models/{repository}/revision/{quoted}?blobs=true")
        self.revision = str(answer.get("sha", ""))
        card = answer.get("cardData") or {}
        self.licence = str(card.get("license", "") or "unknown")
        self._files: dict[str, Mapping[str, Any]] = {
            item["rfilename"]: item for item in answer.get("siblings", ())
        }

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def names(self) -> list[str]:
        return list(self._files)

    def pin(self, role: Role, name: str) -> PinnedFile:
        entry = self._files[name]
        lfs = entry.get("lfs")
        if lfs:
            return PinnedFile(role, name, int(lfs["size"]), str(lfs["sha256"]))
        data = self.read(name)
        return PinnedFile(role, name, len(data), hashlib.sha256(data).hexdigest())

    def read(self, name: str) -> bytes:
        """A small file's bytes, checked against Git's hash of it."""
        url = f"{self._base}/{self.repository}/resolve/{self.revision}/{name}"
        data = _get(url)
        expected = str(self._files[name].get("blobId", ""))
        found = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        if expected and not self._files[name].get("lfs") and found != expected:
            raise IntegrityError(name, url, f"Git blob {expected}", found)
        return data

    def json(self, name: str) -> Mapping[str, Any]:
        if name not in self._files:
            return {}
        value = json.loads(self.read(name))
        return value if isinstance(value, dict) else {}


def _settings(repo: _Repository, kind: Kind | None) -> dict[str, Any]:
    config = repo.json("config.json")
    colbert = repo.json("onnx_config.json")
    kind = kind or _kind(repo, config, colbert)
    out: dict[str, Any] = {"kind": kind, "pad_id": int(config.get("pad_token_id") or 0)}
    bert = config.get("model_type") == "bert"
    out["inputs"] = ["input_ids", "attention_mask", *(["token_type_ids"] if bert else [])]
    longest = int(config.get("max_position_embeddings") or 512)
    if kind == "embedder":
        out.update(_embedder(repo, config, longest))
    elif kind == "colbert":
        out.update(_colbert(colbert))
    else:
        special = _special_ids(repo)
        out.update(
            output="logits",
            query_length=128,
            document_length=min(longest, 512),
            start_id=special.get("cls_token", special.get("bos_token")),
            separator_id=special.get("sep_token", special.get("eos_token")),
        )
    return out


def _kind(repo: _Repository, config: Mapping[str, Any], colbert: Mapping[str, Any]) -> Kind:
    if "embedding_dim" in colbert or "query_prefix" in colbert:
        return "colbert"
    if any(str(name).endswith("ForSequenceClassification") for name in config.get("architectures", ())):
        return "cross-encoder"
    if "1_Pooling/config.json" in repo or "modules.json" in repo:
        return "embedder"
    raise InvalidInput(f"the files of {repo.repository} do not tell what it is: give --kind")


def _embedder(repo: _Repository, config: Mapping[str, Any], longest: int) -> dict[str, Any]:
    pooling = repo.json("1_Pooling/config.json")
    limits = repo.json("sentence_bert_config.json")
    prompts = repo.json("config_sentence_transformers.json").get("prompts") or {}
    length = min(int(limits.get("max_seq_length") or longest), longest)
    return {
        "output": "last_hidden_state",
        "dimensions": int(config["hidden_size"]),
        "pooling": "cls" if pooling.get("pooling_mode_cls_token") else "mean",
        "query_prefix": str(prompts.get("query", "") or ""),
        "document_prefix": str(prompts.get("document", prompts.get("passage", "")) or ""),
        "query_length": length,
        "document_length": length,
    }


def _colbert(config: Mapping[str, Any]) -> dict[str, Any]:
    if "embedding_dim" not in config:
        raise InvalidInput(
            "a colbert model is described by onnx_config.json, and this one's says no embedding_dim"
        )
    return {
        "output": "output",
        "truncate": False,
        "dimensions": int(config["embedding_dim"]),
        "query_length": int(config.get("query_length", 32)),
        "document_length": int(config.get("document_length", 300)),
        "query_marker": config.get("query_prefix_id"),
        "document_marker": config.get("document_prefix_id"),
        "mask_id": config.get("mask_token_id"),
        "pad_id": int(config.get("pad_token_id") or 0),
        "query_expansion": bool(config.get("do_query_expansion", False)),
        "attend_to_expansion": bool(config.get("attend_to_expansion", False)),
        "lowercase": bool(config.get("do_lower_case", False)),
        "skiplist": list(config.get("skiplist_words", ())),
    }


def _special_ids(repo: _Repository) -> dict[str, int]:
    """Token ids of the special tokens that tokenizer_config.json names."""
    named = repo.json("tokenizer_config.json")
    tokenizer = json.loads(repo.read("tokenizer.json"))
    ids = {item["content"]: int(item["id"]) for item in tokenizer.get("added_tokens", ())}
    out: dict[str, int] = {}
    for key in ("cls_token", "sep_token", "bos_token", "eos_token"):
        token = named.get(key)
        text = token.get("content") if isinstance(token, dict) else token
        if text in ids:
            out[key] = ids[text]
    return out


def _get_json(url: str) -> Mapping[str, Any]:
    try:
        answer = json.loads(_get(url))
    except ValueError:
        raise FetchFailed(f"{url}: the answer is no JSON (a login or error page?)") from None
    if not isinstance(answer, dict):
        raise FetchFailed(f"{url}: an unexpected answer")
    return answer


def _get(url: str) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "hinny"})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:
            data: bytes = response.read(_SMALL)
            return data
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchFailed(f"{url}: the host answered {error.code}") from None
    except (OSError, http.client.HTTPException) as error:
        raise FetchFailed(f"{url}: no answer ({error})") from None
