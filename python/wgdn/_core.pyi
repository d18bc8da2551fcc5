# SPDX-License-Identifier: Apache-2.0
"""The C module: wgdn.h call by call. Handles are opaque; arrays are contiguous and of the stated
type; options are dictionaries of text. Arrays named `out` are filled."""
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any, NewType, Optional, Union, overload

import numpy as np
from numpy.typing import NDArray

Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
DatasetHandle = NewType("DatasetHandle", object)
ModelHandle = NewType("ModelHandle", object)
PredictorHandle = NewType("PredictorHandle", object)
EmbeddingHandle = NewType("EmbeddingHandle", object)
RecommenderHandle = NewType("RecommenderHandle", object)
Float = NDArray[np.float32]
Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]
Int8 = NDArray[np.int8]

version: str

class Error(Exception): ...
class InvalidError(Error, ValueError): ...
class NoMemoryError(Error, MemoryError): ...
class RangeError(Error, OverflowError): ...
class EngineError(Error, RuntimeError): ...
class FileError(Error, OSError): ...
class FormatError(Error, ValueError): ...
class UnsupportedError(Error, NotImplementedError): ...
class StoppedError(Error): ...
class NumberError(Error, ArithmeticError): ...
class TrainingError(Error, RuntimeError): ...

def option_table(
    table: str, /
) -> list[tuple[str, str, Optional[str], Optional[str], str, str]]:
    """Name, type, choices "a|b|c", default, range and help of each option of dataset, train, fit, eval,
    restore, projection or recommend."""

def preset_names() -> list[str]: ...
def preset(name: str, /) -> dict[str, str]: ...
def machine() -> dict[str, Any]: ...
def size_parse(text: str) -> Optional[int]: ...
@overload
def demo_files() -> dict[str, str]: ...
@overload
def demo_files(name: str, /) -> list[tuple[str, str, str]]: ...
def number_texts(
    seed: int,
    source: NDArray[np.uint8],
    source_offset: Int64,
    target: NDArray[np.uint8],
    target_offset: Int64,
    out_source: Int64,
    out_target: Int64,
    /,
) -> list[str]:
    """UTF-8 texts of edges as numbers in order of appearance, edge by edge; the texts by number. Text i of a
    column begins at its offset i and ends at offset i + 1. seed: of the hash table."""
def encode_texts(texts: NDArray[Any], width: int, out_offset: Int64, /) -> Optional[bytes]:
    """UTF-8 of an array of text, one behind another, at the offsets; None if anything else is among them. width: 0 for an array of
    objects, else the characters of each text of fixed width, which come as int32."""

def gather_texts(
    views: Int32, offset: Int64, address: Int64, size: Int64, out: NDArray[np.uint8], /
) -> None:
    """Texts of Arrow's views one behind another, at their offsets. The blocks of long texts are given by their addresses
    and sizes; a view outside of them is refused."""

def edge_columns(text: bytes, /) -> tuple[int, int, int, int, bool, bool]:
    """Source, target, weight and graph of a table of edges, -1 for none, from headings and first rows as CSV; whether the
    headings alone name the ends; whether they mean nodes of two kinds."""

def dataset_from_arrays(parts: Mapping[str, Any], /) -> DatasetHandle:
    """Of `parts` by name, all but nodes, source and target optional: nodes; source, target (int64), weight (float32),
    type (int32, among type_names), weights and directed (numbers of wgdn_weights and wgdn_direction); features (columns),
    dense, or offset, column and value; label, or label_offset and label_list; class_names; splits (rows), split; ids; graph_start, graph_label; encoding,
    memory, scratch. Texts are bytes. The features are borrowed for as long as the handle lives; everything else is copied."""

def dataset_read(path: Path, options: Mapping[str, Path], like: Optional[ModelHandle], sides: bool = False, /) -> DatasetHandle:
    """options: of the table "dataset", by name, as text. like: a model; tables become the features that it was made of. sides:
    whether headings such as user and item always have two kinds of nodes."""

def dataset_write(data: DatasetHandle, path: Path, format: Optional[str], /) -> None: ...
def dataset_facts(data: DatasetHandle, /) -> dict[str, int]: ...
def dataset_remarks(data: DatasetHandle, /) -> list[tuple[str, int, str]]: ...
def dataset_dense(data: DatasetHandle, out: Float, /) -> None: ...
def dataset_sparse(
    data: DatasetHandle, offset: Int64, column: Int32, value: Float, /
) -> None: ...
def dataset_adjacency(
    data: DatasetHandle, offset: Int64, column: Int32, value: Float, /
) -> None: ...
def dataset_encoding(data: DatasetHandle, /) -> Optional[bytes]:
    """How tables became features; None where nothing is to be told."""

def dataset_of_graphs(data: DatasetHandle, /) -> DatasetHandle:
    """A dataset whose nodes are the graphs of another, with their ids and labels, without edges."""

def hold_out(data: DatasetHandle, options: dict[str, str], /) -> DatasetHandle:
    """The dataset without its test edges, which evaluation options choose."""

def dataset_labels(data: DatasetHandle, out: Int32, /) -> None: ...
def dataset_splits(data: DatasetHandle, out: Int8, /) -> None: ...
def dataset_graphs(data: DatasetHandle, start: Int64, label: Int32, /) -> None: ...
def dataset_ids(data: DatasetHandle, /) -> list[str]: ...
def dataset_class_names(data: DatasetHandle, /) -> list[str]: ...
def train(
    data: DatasetHandle,
    options: dict[str, str],
    checkpoint: Optional[Path],
    checkpoint_every: int,
    fresh: bool,
    callback: Optional[Callable[[int, int, float, float, int], object]],
    /,
) -> ModelHandle:
    """callback(epoch, epochs, loss, seconds, first) after every epoch; a true result stops and
    the model of the epochs so far is returned."""

def fit(data: DatasetHandle, options: dict[str, str], keep: bool, /) -> ModelHandle:
    """The closed form; signals are checked before every part of the work. keep: the embeddings of
    the same data come next, and what was filtered is kept for them."""

def fit_estimate(data: DatasetHandle, options: dict[str, str], /) -> dict[str, float]: ...
def estimate(data: DatasetHandle, options: dict[str, str], /) -> dict[str, int]: ...
def recommend_estimate(data: DatasetHandle, options: Mapping[str, str], /) -> dict[str, float]: ...
def model_embed(
    model: ModelHandle,
    data: DatasetHandle,
    out: Float,
    threads: int,
    graphs: bool,
    align: Optional[tuple[Float, int, DatasetHandle]] = None,
    /,
) -> None:
    """Embeddings of the nodes, or, pooled by the model's option, of the graphs. align: vectors, their dim and a dataset
    with their ids, onto which the new ones are turned."""

def model_save(model: ModelHandle, path: Path, /) -> None: ...
def model_load(path: Path, /) -> ModelHandle: ...
def model_facts(model: ModelHandle, /) -> tuple[str, int, int, dict[str, str]]:
    """"trained" or "fitted", embedding dimension, number of features, options."""

def model_encoding(model: ModelHandle, /) -> Optional[bytes]:
    """How the features of the model were encoded; None where they were numbers."""

def model_parts(model: ModelHandle, /) -> tuple[list[dict[str, Any]], dict[float, float]]:
    """Of a fitted model: name, dim and scale of each part; scales compared, with agreement."""

def model_remarks(model: ModelHandle, /) -> list[tuple[str, str]]:
    """Of a model that was just fitted: a word for each remark, and its text."""

def embedding_read(path: Path, /) -> tuple[EmbeddingHandle, int, int]: ...
def embedding_values(embedding: EmbeddingHandle, out: Float, /) -> None: ...
def embedding_ids(embedding: EmbeddingHandle, /) -> list[str]: ...
def embedding_write(
    data: DatasetHandle, path: Path, format: Optional[str], numbers: Optional[str], values: Float, dim: int, /
) -> None: ...
def search(
    index: Int64,
    score: Float,
    vectors: Float,
    query: Float,
    dim: int,
    count: int,
    metric: int,
    threads: int,
    /,
) -> None: ...

# Of vectors; or, if these are None, of a baseline by its index.
def probe(
    data: DatasetHandle,
    vectors: Optional[Float],
    dim: int,
    baseline: int,
    model: dict[str, str],
    options: dict[str, str],
    /,
) -> dict[str, Any]: ...
def cluster(
    data: DatasetHandle,
    vectors: Optional[Float],
    dim: int,
    baseline: int,
    model: dict[str, str],
    options: dict[str, str],
    /,
) -> dict[str, Any]: ...
def links(
    data: DatasetHandle,
    vectors: None,
    dim: int,
    baseline: int,
    model: dict[str, str],
    options: dict[str, str],
    fit: Optional[dict[str, str]] = None,
    /,
) -> dict[str, Any]:
    """Of a model made again without the test edges, by its options of training or of fitting, or, from 0 on, of a
    baseline."""

def baselines(data: DatasetHandle, task: str, /) -> list[tuple[int, str]]: ...
def recommender_fit(data: DatasetHandle, options: Mapping[str, str], /) -> RecommenderHandle: ...
def recommender_facts(recommender: RecommenderHandle, /) -> dict[str, Any]: ...
def recommender_ids(recommender: RecommenderHandle, side: int, /) -> list[str]:
    """Ids of the users (side 0) or of the items (side 1), as text."""

def recommender_rank(
    out_item: Int64,
    out_score: Float,
    recommender: RecommenderHandle,
    users: Optional[Int64],
    offset: Optional[Int64],
    item: Optional[Int32],
    weight: Optional[Float],
    among: Optional[Int64],
    k: int,
    include_seen: bool,
    threads: int,
    /,
) -> None:
    """Numbers of k items for each user, or for each row of interactions at offset and item; -1 behind the last."""

def recommender_embed(
    recommender: RecommenderHandle, dim: int, threads: int, /
) -> tuple[tuple[EmbeddingHandle, int, int], float]:
    """Vectors of all users, then of all items, with their rows and dim; and the fraction of the best 20 items that they keep."""

def recommender_save(recommender: RecommenderHandle, path: Path, /) -> None: ...
def recommender_load(path: Path, /) -> RecommenderHandle: ...
def is_recommender(path: Path, /) -> bool: ...
def restore(
    out: Float,
    data: DatasetHandle,
    observed: Float,
    columns: int,
    kernel: str,
    options: dict[str, str],
    /,
) -> None: ...
def project(
    out: Float, vectors: Float, dim: int, options: dict[str, str], /
) -> tuple[float, float, float]:
    """Points of the plane; divergence and shares of the variance. Signals are checked."""

def energy(
    data: DatasetHandle, matrix: Float, width: int, average: int, threads: int, /
) -> tuple[list[float], float, float]:
    """Energy density at 4096 eigenvalues evenly spaced in arccos(1 - lambda); signal; noise."""

def train_orders(data: DatasetHandle, options: dict[str, str], /) -> tuple[int, int]:
    """Orders of encoder and decoder."""

def response(kernel: str, penalty: float, order: int, /) -> tuple[list[float], list[float]]:
    """At 401 eigenvalues of [0, 2]: the kernel, or with a penalty of 0 or more its Wiener response;
    and the polynomial of this order that stands for it."""
def predictor_fit(
    data: DatasetHandle, vectors: Float, dim: int, options: dict[str, str], /
) -> PredictorHandle:
    """Learn the labels of the nodes that have one; vectors: nodes x dim."""

def predictor_report(predictor: PredictorHandle, /) -> dict[str, Any]:
    """`method` and the places of `methods` are numbers of the option of this name; NaN: it was not tried."""

def predictor_classes(predictor: PredictorHandle, /) -> list[str]: ...
def predictor_apply(
    predictor: PredictorHandle, data: DatasetHandle, vectors: Float, dim: int, out: Float, columns: int, threads: int, /
) -> None:
    """Into out, nodes x columns: a probability for each class, or a number."""

def predictor_save(predictor: PredictorHandle, model: ModelHandle, path: Path, /) -> None: ...
def predictor_load(path: Path, /) -> tuple[PredictorHandle, ModelHandle]: ...
def find_clusters(
    data: DatasetHandle, vectors: Float, dim: int, options: dict[str, str], group: Int32, similarity: Float, /
) -> dict[str, Any]:
    """The cluster of each node and its cosine with the center; returns measures, and size, cohesion and typical members of
    each cluster."""
