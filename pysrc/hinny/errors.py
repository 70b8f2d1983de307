"""Every error that Hinny raises on purpose, in one tree.

    HinnyError
    ├── InvalidOption (ValueError)       an option's name, value or combination is not allowed
    │   ├── UnknownField                 a field that the index does not have
    │   └── UnknownAnalyzer              an analyzer id that nothing here implements
    ├── InvalidInput (ValueError)        documents, ids, vectors or texts that cannot be used
    │   ├── DimensionMismatch            vectors of another dimension than the index or each other
    │   ├── NotFinite                    NaN or infinity where a number is needed
    │   ├── ZeroVector                   a vector without direction where cosine needs one
    │   └── InputTooLong                 a text over a model's limit, with truncation off
    ├── MissingExtra (ImportError)       an optional package is needed; says what to install
    ├── PolicyConflict                   two requested ranking policies cannot both be met
    ├── SourceError                      a retriever or reranker failed or broke its contract; names it
    │   └── SourceLoading                its model or index is still on the way: ask again later
    ├── BundleError                      a folder of search files cannot be used
    │   ├── BundleMissing                there is no bundle (or no such part) at the place named
    │   ├── UnsupportedVersion           written by another format version than this code reads
    │   ├── IntegrityError               bytes whose size or SHA-256 is not the promised one
    │   └── FingerprintMismatch          an index made with another model than the one at hand
    ├── BuildError                       a site cannot be built
    │   ├── NothingIndexed               not a single page could be used
    │   └── OutputExists                 the output folder holds something that is not ours
    ├── RuntimeFileError                 a locked runtime file cannot be had from any of its sources
    └── ModelError                       a model cannot be found, fetched or run
        ├── UnknownModel                 no pin of that id
        ├── FetchFailed                  the host answered badly or not at all
        └── OfflineError                 needed from the network while offline mode is on

A message says what is wrong, with the name and the value, and what to do instead.
`IntegrityError` also serves the runtime and model stores.
"""

from __future__ import annotations


class HinnyError(Exception):
    """The root of the tree: catch it to catch whatever Hinny raises on purpose."""


class InvalidOption(HinnyError, ValueError):
    """An option's name, value or combination is not allowed."""

    def __init__(self, option: str, value: object, allowed: str) -> None:
        self.option = option
        self.value = value
        self.allowed = allowed
        super().__init__(f"{option}={value!r} is not allowed: expected {allowed}")


class UnknownField(InvalidOption):
    """A field that the index does not have."""


class UnknownAnalyzer(InvalidOption):
    """An analyzer id that nothing here implements."""


class InvalidInput(HinnyError, ValueError):
    """Documents, ids, vectors or texts that cannot be used."""


class DimensionMismatch(InvalidInput):
    """Vectors of another dimension than the index, or than each other."""


class NotFinite(InvalidInput):
    """NaN or infinity where a number is needed."""


class ZeroVector(InvalidInput):
    """A vector without direction where cosine needs one."""


class InputTooLong(InvalidInput):
    """A text over a model's limit, with truncation off."""

    def __init__(self, length: int, limit: int, *, what: str = "text") -> None:
        self.length = length
        self.limit = limit
        super().__init__(f"{what} has {length} tokens, the model takes {limit}: shorten it or truncate=True")


class MissingExtra(HinnyError, ImportError):
    """An optional package is needed; the message says what to install."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(f'{purpose} needs the package {package}: pip install "hinny[{extra}]"')


class PolicyConflict(HinnyError):
    """Two requested ranking policies cannot both be met."""


class SourceError(HinnyError):
    """A retriever or reranker failed or broke its contract."""

    def __init__(self, source: str, problem: str) -> None:
        self.source = source
        super().__init__(f"{source}: {problem}")


class SourceLoading(SourceError):
    """A source whose model or index is still on the way: ask again later."""


class BundleError(HinnyError):
    """A folder of search files cannot be used."""


class BundleMissing(BundleError):
    """There is no bundle, or no such part, at the place named."""


class UnsupportedVersion(BundleError):
    """Written by another format version than this code reads."""

    def __init__(self, what: str, found: object, supported: object) -> None:
        self.found = found
        self.supported = supported
        super().__init__(
            f"{what} has format version {found!r}, this Hinny reads {supported!r}: rebuild it or update Hinny"
        )


class IntegrityError(BundleError):
    """Bytes whose size or SHA-256 is not the promised one."""

    def __init__(self, name: str, source: str, expected: str, found: str) -> None:
        self.name = name
        self.source = source
        self.expected = expected
        self.found = found
        super().__init__(f"{name} from {source}: expected {expected}, found {found}; nothing of it was kept")


class FingerprintMismatch(BundleError):
    """An index made with another model than the one at hand."""


class BuildError(HinnyError):
    """A site cannot be built."""


class NothingIndexed(BuildError):
    """Not a single page could be used."""


class OutputExists(BuildError):
    """The output folder holds something that is not ours."""


class RuntimeFileError(HinnyError):
    """A locked runtime file cannot be had from any of its sources; `problems` says why, one line a source."""

    def __init__(self, name: str, problems: list[str]) -> None:
        self.name = name
        self.problems = problems
        super().__init__("\n  ".join([f"no source has the runtime file {name} as locked:", *problems]))


class ModelError(HinnyError):
    """A model cannot be found, fetched or run."""


class UnknownModel(ModelError):
    """No pin of that id."""


class FetchFailed(ModelError):
    """The host answered badly or not at all."""


class OfflineError(ModelError):
    """Needed from the network while offline mode is on."""
