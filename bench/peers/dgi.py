# SPDX-License-Identifier: Apache-2.0
"""PyTorch Geometric's Deep Graph Infomax as in its example of a transductive task, 256 columns.

One GCN layer and PReLU, the summary a sigmoid of the mean, rows shuffled as corruption, Adam with
0.001, 300 epochs; features as they are. The example stops at epoch 300 and never before, and so does
this. Without features the input is the identity (on PPI 20 micro F1, against 11 with 128 random
columns). Two things are done for speed alone, the losses are the same to five digits: the adjacency
is a sparse tensor, not a list of edges, and features with few non-zeros are a sparse tensor, too.
"""
import warnings

import numpy as np
import scipy.sparse as sp
import torch
from torch_geometric.nn import DeepGraphInfomax, GCNConv

EPOCHS, LEARNING_RATE = 300, 0.001
SPARSE = 0.05                      # share of non-zeros below which sparse products are faster
warnings.filterwarnings("ignore", message="Sparse")  # that they are beta


class Encoder(torch.nn.Module):
    def __init__(self, features, dim):
        super().__init__()
        self.convolution = GCNConv(features, dim, cached=True)
        self.activation = torch.nn.PReLU(dim)

    def forward(self, x, adjacency):
        return self.activation(self.convolution(x, adjacency))


def embed(data, dim, threads, seed):
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    adjacency = tensor(data.adjacency)
    x, shuffled = inputs(data)
    model = DeepGraphInfomax(dim, Encoder(x.shape[1], dim),
                             summary=lambda z, *_: torch.sigmoid(z.mean(dim=0)),
                             corruption=lambda _, a: (shuffled(), a))
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for _ in range(EPOCHS):
        optimizer.zero_grad()
        model.loss(*model(x, adjacency)).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        return model.encoder(x, adjacency).numpy()


def tensor(a):
    return torch.sparse_csr_tensor(torch.from_numpy(a.indptr.astype(np.int64)),
                                   torch.from_numpy(a.indices.astype(np.int64)),
                                   torch.from_numpy(a.data), a.shape)


def inputs(data):
    """The input and a function that returns it with its rows in another order."""
    x = data.features
    if x is None:
        x = sp.identity(data.n, np.float32, format="csr")
    if sp.issparse(x) and x.nnz < SPARSE * x.shape[0] * x.shape[1]:
        return tensor(x), lambda: tensor(x[torch.randperm(data.n).numpy()])
    dense = torch.from_numpy(x.toarray() if sp.issparse(x) else x)
    return dense, lambda: dense[torch.randperm(data.n)]
