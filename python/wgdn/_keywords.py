# SPDX-License-Identifier: Apache-2.0
"""Types of the keywords; made by python/tools/keywords from the option tables."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Optional, TypedDict, Union

__all__ = ["EmbedKeywords", "EvalKeywords", "FitFields", "FitKeywords", "ProjectionKeywords",
           "RestoreKeywords", "TrainFields", "TrainKeywords"]


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
    features: Literal["random-walk", "degree"]
    structural_dim: int
    binarise: bool
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
    random_state: Optional[int]


class EmbedKeywords(TypedDict, total=False):
    seed: int
    dim: int
    pad: bool
    scale: Union[float, Literal["auto"], None]
    binarise: bool
    refine: int
    ids: bool
    task: Literal["auto", "node", "graph"]
    threads: int
    n_components: int
    n_jobs: Optional[int]
    random_state: Optional[int]


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
    random_state: Optional[int]


class RestoreKeywords(TypedDict, total=False):
    mode: Literal["average", "resolved", "inverse"]
    noise: Literal["neighbours", "given", "floor"]
    sigma: float
    gamma: float
    average: Literal["row", "column"]
    order: int
    fit: Literal["one-step", "remez"]
    moments: int
    probes: int
    seed: int
    threads: int
    n_jobs: Optional[int]
    random_state: Optional[int]


class ProjectionKeywords(TypedDict, total=False):
    seed: int
    projection: Literal["tsne", "pca"]
    perplexity: float
    steps: int
    theta: float
    metric: Literal["cosine", "dot"]
    threads: int
    n_jobs: Optional[int]
    random_state: Optional[int]


class FitKeywords(EmbedKeywords, total=False):
    features: Literal["auto", "features", "structure", "both"]


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
    features: Literal["random-walk", "degree"]
    structural_dim: int
    binarise: bool
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
    binarise: bool
    refine: int
    ids: bool
    task: Literal["auto", "node", "graph"]
    threads: int
