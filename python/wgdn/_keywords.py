# SPDX-License-Identifier: Apache-2.0
"""Types of the keywords; made by python/tools/keywords from the option tables."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional, TypedDict, Union

__all__ = ["EmbedKeywords", "EvalKeywords", "FitFields", "FitKeywords", "ProjectionKeywords",
           "RecommendGraphKeywords", "RecommendKeywords", "RestoreKeywords", "TrainFields", "TrainKeywords"]


class TrainKeywords(TypedDict, total=False):
    seed: int
    kernel: str
    gamma: Union[str, float, Sequence[float]]
    dim: int
    layers: int
    decoder_layers: int
    encoder_order: int
    decoder_order: int
    aggregate: Literal["max", "sum", "mean"]
    skip: Literal["none", "sum", "mean"]
    norm: Literal["none", "layer", "batch"]
    embedding_activation: bool
    average: Literal["row", "column"]
    decoder: Literal["wiener", "inverse"]
    loss: Literal["rmse", "row-rmse", "mse", "cosine"]
    balance: Literal["balanced", "plain"]
    augment: Literal["noise", "none", "drop-edge", "drop-node"]
    beta: float
    epochs: int
    learning_rate: float
    decay: float
    decay_every: int
    threads: int
    structural_features: Literal["random-walk", "degree"]
    structural_dim: int
    binarize: bool
    workspace: Literal["auto", "store", "recompute"]
    drop_rate: float
    task: Literal["auto", "node", "graph"]
    batch_size: int
    pool: Literal["mean", "sum", "max"]
    precision: Literal["fp32", "bf16"]
    patience: int
    lr: float
    n_components: int
    n_jobs: Optional[int]
    random_state: Any


class FitKeywords(TypedDict, total=False):
    seed: int
    dim: int
    pad: bool
    features: Literal["auto", "features", "structure", "both"]
    scale: Union[float, Literal["auto"], None]
    binarize: bool
    refine: int
    ids: bool
    task: Literal["auto", "node", "graph"]
    threads: int
    n_components: int
    n_jobs: Optional[int]
    random_state: Any


class EvalKeywords(TypedDict, total=False):
    seed: int
    splits: Literal["auto", "dataset", "paper", "stratified", "random", "stratified-random"]
    train_fraction: float
    validation_fraction: float
    runs: int
    classifier: Literal["logistic", "adam"]
    steps: int
    learning_rate: float
    weight_decay: float
    folds: int
    svm: Literal["both", "rbf", "linear"]
    restarts: int
    test_edge_fraction: float
    metric: Literal["cosine", "dot"]
    label_kind: Literal["auto", "class", "number"]
    threads: int
    lr: float
    n_jobs: Optional[int]
    random_state: Any


class RestoreKeywords(TypedDict, total=False):
    mode: Literal["average", "resolved", "inverse"]
    noise: Literal["neighbors", "given", "floor"]
    sigma: float
    gamma: float
    average: Literal["row", "column"]
    order: int
    approximation: Literal["one-step", "remez"]
    moments: int
    probes: int
    seed: int
    threads: int
    n_jobs: Optional[int]
    random_state: Any


class ProjectionKeywords(TypedDict, total=False):
    seed: int
    projection: Literal["tsne", "pca"]
    perplexity: float
    steps: int
    theta: float
    metric: Literal["cosine", "dot"]
    threads: int
    n_jobs: Optional[int]
    random_state: Any


class RecommendKeywords(TypedDict, total=False):
    seed: int
    hold_out: float
    sample: int
    columns: int
    ridge_items: int
    values: Literal["auto", "one", "log", "weight"]
    threads: int
    n_jobs: Optional[int]
    random_state: Any


class EmbedKeywords(FitKeywords, total=False):
    """Options, and what wgdn.Graph takes."""

    source: Union[str, int, None]
    target: Union[str, int, None]
    weight: Union[str, int, None]
    type: Union[str, int, None]
    graph_id: Union[str, int, None]
    bipartite: Optional[bool]
    directed: Literal["ignore", "forward", "backward", "both"]
    weights: Literal["use", "ignore", "log"]
    ids: Any
    id: Union[str, int, None]
    nodes: Optional[int]
    edge_types: Any
    use_rep: Optional[str]
    attributes: Union[str, Sequence[str], None]
    feature_scale: Literal["auto", "standard", "none", "row"]
    max_categories: Optional[int]
    ignore: Sequence[str]
    memory: Union[int, str, None]
    scratch: Any


class RecommendGraphKeywords(RecommendKeywords, total=False):
    """Options, and what wgdn.Graph takes."""

    source: Union[str, int, None]
    target: Union[str, int, None]
    weight: Union[str, int, None]
    type: Union[str, int, None]
    graph_id: Union[str, int, None]
    bipartite: Optional[bool]
    directed: Literal["ignore", "forward", "backward", "both"]
    weights: Literal["use", "ignore", "log"]
    ids: Any
    id: Union[str, int, None]
    nodes: Optional[int]
    edge_types: Any
    use_rep: Optional[str]
    attributes: Union[str, Sequence[str], None]
    feature_scale: Literal["auto", "standard", "none", "row"]
    max_categories: Optional[int]
    ignore: Sequence[str]
    memory: Union[int, str, None]
    scratch: Any


class TrainFields:
    """The same as attributes of an estimator."""

    seed: int
    kernel: str
    gamma: Union[str, float, Sequence[float]]
    dim: int
    layers: int
    decoder_layers: int
    encoder_order: int
    decoder_order: int
    aggregate: Literal["max", "sum", "mean"]
    skip: Literal["none", "sum", "mean"]
    norm: Literal["none", "layer", "batch"]
    embedding_activation: bool
    average: Literal["row", "column"]
    decoder: Literal["wiener", "inverse"]
    loss: Literal["rmse", "row-rmse", "mse", "cosine"]
    balance: Literal["balanced", "plain"]
    augment: Literal["noise", "none", "drop-edge", "drop-node"]
    beta: float
    epochs: int
    learning_rate: float
    decay: float
    decay_every: int
    threads: int
    structural_features: Literal["random-walk", "degree"]
    structural_dim: int
    binarize: bool
    workspace: Literal["auto", "store", "recompute"]
    drop_rate: float
    task: Literal["auto", "node", "graph"]
    batch_size: int
    pool: Literal["mean", "sum", "max"]
    precision: Literal["fp32", "bf16"]
    patience: int


class FitFields:
    """The same as attributes of an estimator."""

    seed: int
    dim: int
    pad: bool
    features: Literal["auto", "features", "structure", "both"]
    scale: Union[float, Literal["auto"], None]
    binarize: bool
    refine: int
    ids: bool
    task: Literal["auto", "node", "graph"]
    threads: int
