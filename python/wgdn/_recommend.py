# SPDX-License-Identifier: Apache-2.0
"""
What to offer whom: the class Recommender and recommend(), as the program's command of that name does. Lists carry the
ids of users and items in their original types.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Optional, cast

import numpy as np
from numpy.typing import NDArray

from . import _core, _options
from ._edges import HEADINGS
from ._embedding import Embedding
from ._errors import ArgumentError, InvalidError, UnknownIdError, not_fitted, own_errors, warn
from ._estimators import Parameters, check_columns, describe_init, load_bytes, saved_bytes, split_keywords
from ._graph import Graph, as_graph, html_table
from ._kinds import is_frame, is_sparse, is_table
from ._names import id_array

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._core import Path
    from ._keywords import RecommendGraphKeywords, RecommendKeywords

NONE = -1  # behind the last item of a list


class Recommendations:
    """
    Lists of items, the best first: a row of `items` and `scores` for each of `users`. Where fewer items than `k` may be
    listed, the row ends in None and NaN.
    """

    def __init__(self, users: NDArray[Any], items: NDArray[Any], scores: NDArray[np.float32],
                 names: tuple[str, str]) -> None:
        self.users, self.items, self.scores, self._names = users, items, scores, names
        self._row: Optional[dict[Any, int]] = None

    def __len__(self) -> int:
        return len(self.users)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.users.tolist())

    def __contains__(self, user: Any) -> bool:
        return isinstance(user, Hashable) and user in self._rows()

    def __getitem__(self, user: Any) -> list[tuple[Any, float]]:
        """The items of a user with their scores."""
        if user not in self:
            raise UnknownIdError(f"{user!r} has no list here")
        row = self._rows()[user]
        return [(item, float(score)) for item, score in zip(self.items[row].tolist(), self.scores[row])
                if not np.isnan(score)]

    def _rows(self) -> dict[Any, int]:
        if self._row is None:
            self._row = {user: i for i, user in enumerate(self.users.tolist())}
        return self._row

    def _columns(self) -> dict[str, Any]:
        listed = ~np.isnan(self.scores)
        of_user = np.repeat(np.arange(len(self.users)), listed.sum(axis=1))
        items = self.items[listed]
        loose = id_array(items.tolist()) if items.dtype == object else items
        return {self._names[0]: self.users[of_user], self._names[1]: loose, "score": self.scores[listed]}

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each entry of each list: user, item and score."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_polars(self) -> Any:
        """The same as a DataFrame of polars."""
        import polars

        return polars.DataFrame({name: column.tolist() if column.dtype == object else column
                                 for name, column in self._columns().items()})

    def __repr__(self) -> str:
        return f"<wgdn.Recommendations: {len(self)} lists of {self.items.shape[1]}>"

    def _repr_html_(self) -> str:
        rows: list[Sequence[Any]] = [(user, ", ".join(str(item) for item, _ in self[user]))
                                     for user in self.users[:10].tolist()]
        return html_table(repr(self)[1:-1], rows)


def as_interactions(graph: Any, columns: dict[str, Any]) -> Graph:
    """The graph of a recommender: a table's headings, or a matrix that is not square, make two kinds of nodes."""
    if columns.get("bipartite") is None:
        if is_sparse(graph) and graph.shape[0] != graph.shape[1]:
            columns["bipartite"] = True
        elif is_table(graph) or isinstance(graph, (str, bytes, os.PathLike)):
            columns["bipartite"] = HEADINGS
    return as_graph(graph, **columns)


class Recommender(Parameters):
    """
    Lists of the most likely new neighbors of nodes: what to offer to whom, or which links are missing.

    In a bipartite graph the first column has users and the second items, and users get items alone. The score is a
    filter of the graph, or ridge regression over items; :meth:`fit` chooses it on interactions that it holds out.

    Parameters
    ----------
{parameters}

    Attributes
    ----------
    score_ : the score that was chosen, as text
    held_out_ : recall and ndcg of 20 items, mrr and hits on the held-out interactions
    popularity_, adamic_adar_ : the same for the most popular items, and for the score of Adamic and Adar
    users_, items_ : ids of both sides

    Examples
    --------
    >>> import wgdn
    >>> ratings = {{"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]}}
    >>> wgdn.Recommender().fit(ratings).recommend("cid", k=1)["cid"][0][0]
    'jam'
    """

    _table: ClassVar[Mapping[str, _options.Option]] = _options.RECOMMEND
    _own: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, **options: Unpack[RecommendKeywords]) -> None:
        self._set_options(options)

    @own_errors
    def fit(self, graph: Any, y: Any = None, **columns: Any) -> Self:
        """
        Fit to the edges of a graph or a table; `columns` as in :class:`wgdn.Graph`: source, target, weight, ... A SciPy matrix that is
        not square has users as rows and items as columns, which are their ids.
        """
        check_columns(self, "fit", columns)
        if y is not None:
            raise InvalidError("y: a Recommender learns from interactions alone, its first argument; their weights are a column, weight=")
        data = as_interactions(graph, columns)
        self._handle = _core.recommender_fit(data._handle, _options.texts(_options.RECOMMEND, self.get_params()))
        original = _original_ids(data)
        if _core.recommender_facts(self._handle)["bipartite"] and not _has_kinds(data):
            warn("every edge joins two sides of the graph: the larger one are users, who get lists of the other. In a table of users and "
                 "items, bipartite=True says that the first column holds the users")
        self._take(lambda texts, side: id_array([original(text, side) for text in texts]))
        return self

    def _take(self, ids_of: Callable[[list[str], int], NDArray[Any]]) -> None:
        """Note what was fitted or loaded; ids_of: turns the texts of the ids of a side into ids."""
        facts = _core.recommender_facts(self._handle)
        self.score_, self.bipartite_ = facts["score"], facts["bipartite"]
        self.held_out_, self.popularity_, self.adamic_adar_ = facts["held_out"], facts["popularity"], facts["adamic_adar"]
        sides = [ids_of(_core.recommender_ids(self._handle, side), side) for side in ((0, 1) if self.bipartite_ else (0,))]
        self.users_, self.items_ = sides[0], sides[-1]
        self._number = [{id: i for i, id in enumerate(side.tolist())} for side in sides]

    @own_errors
    def recommend(self, users: Any = None, k: int = 10, *, include_seen: bool = False, among: Any = None,
                  new: Any = None, threads: int = 0) -> Recommendations:
        """
        Lists of `k` items.

        Parameters
        ----------
        users : an id, a list of ids, or None for all users
        k : length of a list
        include_seen : whether items that the user already has may be listed
        among : ids of the items that may be listed, default all
        new : users who are not in the data, instead of `users`: a dictionary of each one's item ids
        threads : number of threads, 0 for all
        """
        self._check_fitted()
        if not hasattr(k, "__index__") or isinstance(k, bool) or k < 1:
            raise InvalidError(f"k = {k!r}: expected an integer of at least 1")
        chosen = None if among is None else np.unique(self._find(among, -1, "among"))
        if chosen is not None and not len(chosen):
            raise InvalidError("among is empty: expected at least one id")
        if new is not None and not isinstance(new, Mapping):
            if not hasattr(new, "iloc") or hasattr(new, "columns"):
                raise ArgumentError(f"new: expected a dictionary from users to lists of item ids, got {type(new).__name__}; of a table this is "
                                    "table.groupby(users)[items].apply(list)")
            new = dict(new.items())  # a Series
        asked = column = offset = None
        if new is None:
            asked = np.arange(len(self.users_)) if users is None else self._find(users, 0, "users")
            whose = self.users_[asked]
        elif users is not None:
            raise InvalidError("users and new cannot be combined: call recommend() once for each")
        else:
            whose = id_array(list(new))
            offset, column = self._rows_of(new)
        item = np.empty((len(whose), k), np.int64)
        score = np.empty((len(whose), k), np.float32)
        if len(whose):
            _core.recommender_rank(item, score, self._handle, asked, offset, column, None, chosen, k, include_seen, threads)
        ended = item == NONE
        items = self.items_[np.where(ended, 0, item)]
        if ended.any():
            items = items.astype(object)
            items[ended] = None
            score[ended] = np.nan
        return Recommendations(whose, items, score, ("user", "item") if self.bipartite_ else ("id", "neighbor"))

    def _rows_of(self, new: Mapping[Any, Iterable[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Interactions of new users as compressed rows; items that the data lacks are left out with a warning."""
        rows: list[list[int]] = []
        number, unknown = self._number[-1], 0
        for user, items in new.items():
            if isinstance(items, (str, bytes)) or not hasattr(items, "__iter__"):
                raise InvalidError(f"new: expected a list of item ids for {user!r}, got {items!r}")
            try:
                given = set(items)
            except TypeError:
                raise InvalidError(f"new: expected a list of item ids for {user!r}, got {items!r}") from None
            rows.append(sorted(number[item] for item in given if item in number))
            unknown += len(given) - len(rows[-1])
        if unknown:
            warn(f"new: {unknown} items are not in the data and are ignored")
        ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return ends, np.array([i for row in rows for i in row], dtype=np.int32)

    def _find(self, ids: Any, side: int, what: str) -> NDArray[np.int64]:
        """Numbers of ids on a side."""
        number = self._number[side]
        if is_frame(ids) and len(ids.columns) == 1:
            ids = ids.iloc[:, 0]
        one = isinstance(ids, (str, bytes)) or not hasattr(ids, "__iter__")
        wanted = [ids] if one else np.asarray(ids).tolist() if hasattr(ids, "__array__") else list(ids)
        if any(isinstance(id, (bool, np.bool_)) for id in wanted):
            raise InvalidError(f"{what}: expected ids, and got booleans: pass the ids where a mask is true")
        try:
            unknown = [id for id in wanted if id not in number]
        except TypeError:  # a table, or lists in a list
            raise InvalidError(f"{what}: expected one list of ids, such as a column of a table") from None
        if unknown:
            known = next(iter(number), None)
            raise UnknownIdError(f"{what}: {unknown[0]!r} is not an id of the data"
                                 + (f", nor are {len(unknown) - 1} others" if len(unknown) > 1 else "")
                                 + f"; these are {type(known).__name__}, such as {known!r}")
        return np.array([number[id] for id in wanted], dtype=np.int64)

    @own_errors
    def vectors(self, dim: int = 128, *, threads: int = 0) -> Embedding:
        """
        Vectors whose dot products approximate the scores, for an index of nearest neighbors: a row for each user, then one for each
        item, of the kinds "user" and "item". In a graph with one kind of nodes each node is both.

        `made_from["kept"]` is the fraction of the best 20 items of users that are among the best 20 by dot product, too. Items that a
        user has are not left out of such lists.

        >>> import wgdn
        >>> ratings = {"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]}
        >>> E = wgdn.Recommender().fit(ratings).vectors(dim=2)
        >>> sorted(E.similar(("user", "cid"), k=2, among=E.ids_of("item"), metric="dot").ids.tolist())
        ['jam', 'tea']
        """
        self._check_fitted()
        if not hasattr(dim, "__index__") or isinstance(dim, bool):
            raise InvalidError(f"dim = {dim!r}: expected an integer of at least 1")
        (held, rows, columns), kept = _core.recommender_embed(self._handle, int(dim), int(threads))
        values = np.empty((rows, columns), np.float32)
        _core.embedding_values(held, values)
        kinds = ["user"] * len(self.users_) + ["item"] * len(self.items_)
        return Embedding(values, id_array([*self.users_.tolist(), *self.items_.tolist()]), kinds=kinds,
                         made_from={"method": "Recommender", "score": self.score_, "kept": kept})

    # ---- files ----

    @own_errors
    def save(self, path: Path) -> None:
        """Write the recommender with its interactions and ids, for load(), wgdn.load() and `wgdn recommend`."""
        self._check_fitted()
        _core.recommender_save(self._handle, path)

    @classmethod
    @own_errors
    def load(cls, path: Path) -> Self:
        """
        Read a recommender of save() or of `wgdn recommend --save`. The file has ids as text: those of a side are integers again if
        all of them are. Its lists are the same; parameters are not in the file.
        """
        loaded = cls()
        loaded._handle = _core.recommender_load(path)
        loaded._take(lambda texts, side: _as_integers(texts))
        return loaded

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "_handle"}
        if hasattr(self, "_handle"):
            state["_saved"] = saved_bytes(lambda path: _core.recommender_save(self._handle, path))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_saved", None)
        self.__dict__.update(state)
        if saved is not None:
            self._handle = load_bytes(saved, _core.recommender_load)

    def _check_fitted(self) -> None:
        if not hasattr(self, "_handle"):
            raise not_fitted("This Recommender instance is not fitted yet: call fit() or load() first.")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_handle")

    _handle: _core.RecommenderHandle
    threads: int


def _has_kinds(data: Graph) -> bool:
    """Whether nodes are of two kinds by their ids, those of files by what stands before the colon."""
    if data.kinds is not None:
        return True
    return data.ids is not None and len({str(name).partition(":")[0] if ":" in str(name) else None for name in data.ids.tolist()}) == 2


def _as_integers(texts: list[str]) -> NDArray[Any]:
    """Texts of ids, as integers if all of them are."""
    short = all(len(text) < 19 and text.lstrip("-").isdecimal() for text in texts)
    numbers = list(map(int, texts)) if short else []
    return id_array(numbers if list(map(str, numbers)) == texts else texts)


def _original_ids(data: Graph) -> Any:
    """A function that turns the text of an id, on a side, into the id of the graph."""
    if data.ids is None:
        return lambda text, side: int(text)
    names = data.ids.tolist()
    if data.kinds is None:
        known = {str(name): name for name in names}
        return lambda text, side: known.get(text, text)
    kinds = data.kinds.tolist()
    first = kinds[0] if kinds else ""
    both: list[dict[str, Any]] = [{}, {}]
    for kind, name in zip(kinds, names):
        both[kind != first][str(name)] = name
    return lambda text, side: both[side].get(text, text)


@own_errors
def recommend(graph: Any, users: Any = None, k: int = 10, *, include_seen: bool = False, among: Any = None,
              **options: Unpack[RecommendGraphKeywords]) -> Recommendations:
    """
    The most likely new neighbors of nodes: what to offer to whom, or which links are missing.

    Parameters
    ----------
    graph : ratings, purchases or edges, as :class:`wgdn.Graph` takes them
    users, k, include_seen, among : as in :meth:`Recommender.recommend`
    options : of :class:`Recommender`, and what :class:`wgdn.Graph` takes, such as source, target and weight

    Examples
    --------
    >>> import wgdn
    >>> ratings = {"user": ["ann", "ann", "bob", "bob", "cid"], "item": ["tea", "jam", "tea", "jam", "tea"]}
    >>> wgdn.recommend(ratings, k=1)["cid"][0][0]
    'jam'
    """
    given = cast("dict[str, Any]", options)
    about = split_keywords("recommend", given, _options.RECOMMEND, "users", "k", "include_seen", "among")
    maker = Recommender(**cast("RecommendKeywords", given))
    return maker.fit(graph, **about).recommend(users, k, include_seen=include_seen, among=among,
                                               threads=maker.threads)


describe_init(Recommender)
assert Recommender.__doc__
Recommender.__doc__ = Recommender.__doc__.format(parameters=_options.describe(_options.RECOMMEND))
