"""In which order the boxes of a front are walked: components one after another, each along its narrow side.

A number is *active* between its first and its last box.  The walk keeps one state for each combination of what the
active numbers still need, so the price of an order is the product of their possible values, summed over its steps.
Each component is walked by rows or by columns, whichever is cheaper; the dearest component comes first, because the
mines of the components before it make every state of a component longer.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability_front import Front


@njit(cache=True)
def _components(front: Front) -> tuple[NDArray[np.int32], int]:
    """The component of each box (numbered in order of their first boxes), and how many there are."""
    parent = np.arange(front.place.size).astype(np.int32)
    numbers, degree = front.numbers, front.degree
    for box in range(degree.size):
        first = numbers[box, 0]
        while parent[first] != first:
            parent[first] = parent[parent[first]]
            first = parent[first]
        for place in range(1, degree[box]):
            other = numbers[box, place]
            while parent[other] != other:
                parent[other] = parent[parent[other]]
                other = parent[other]
            parent[other] = first
    name = np.full(parent.size, -1, np.int32)
    component = np.empty(degree.size, np.int32)
    components = 0
    for box in range(degree.size):
        root = numbers[box, 0]
        while parent[root] != root:
            root = parent[root]
        if name[root] < 0:
            name[root] = components
            components += 1
        component[box] = name[root]
    return component, components


@njit(cache=True)
def _sweep(front: Front, width: int, by_column: bool) -> NDArray[np.int64]:
    """The boxes in order of their first cells, by rows or by columns of the board."""
    order = np.empty(front.size.size, np.int64)
    emitted = np.zeros(front.size.size, np.bool_)
    rows = front.box.size // width
    found = 0
    for major in range(1, (width if by_column else rows) - 1):
        for minor in range(1, (rows if by_column else width) - 1):
            box = front.box[minor * width + major if by_column else major * width + minor]
            if box >= 0 and not emitted[box]:
                emitted[box] = True
                order[found] = box
                found += 1
    return order


@njit(cache=True)
def _grouped(order: NDArray[np.int64], component: NDArray[np.int32], start: NDArray[np.int32]) -> NDArray[np.int64]:
    """The same order, component by component; the boxes of component c begin at ``start[c]``."""
    place = start.copy()
    grouped = np.empty(order.size, np.int64)
    for box in order:
        grouped[place[component[box]]] = box
        place[component[box]] += 1
    return grouped


@njit(cache=True)
def _price(
    boxes: NDArray[np.int64], numbers: NDArray[np.int32], degree: NDArray[np.int8], values: NDArray[np.float64],
    to_come: NDArray[np.int32], active: NDArray[np.bool_],
) -> float:  # fmt: skip
    """The price of walking ``boxes`` in this order.

    ``values``: how many values each number may take.  ``to_come`` and ``active`` are room for one entry a number.
    """
    for box in boxes:
        for place in range(degree[box]):
            to_come[numbers[box, place]] = 0
            active[numbers[box, place]] = False
    for box in boxes:
        for place in range(degree[box]):
            to_come[numbers[box, place]] += 1
    states, price = 1.0, 0.0
    for box in boxes:
        for place in range(degree[box]):
            number = numbers[box, place]
            if not active[number]:
                active[number] = True
                states *= values[number]
            to_come[number] -= 1
            if to_come[number] == 0:
                states /= values[number]
        price += states
    return price


@njit(cache=True)
def chain_of(front: Front, width: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """The walk over a whole front.

    Returns
    -------
    order : int64, every box once
    start : int32, shape (components + 1,); component c is ``order[start[c] : start[c + 1]]``
    prices : float64, the price of each component, falling
    """
    component, components = _components(front)
    first = np.zeros(components + 1, np.int32)
    for box in range(component.size):
        first[component[box] + 1] += 1
    for name in range(components):
        first[name + 1] += first[name]
    by_row = _grouped(_sweep(front, width, bool(0)), component, first)
    by_column = _grouped(_sweep(front, width, bool(1)), component, first)
    values = np.minimum(front.need, front.free - front.need) + 1.0
    to_come, active = np.empty(values.size, np.int32), np.empty(values.size, np.bool_)
    prices = np.empty(components, np.float64)
    for name in range(components):
        boxes = by_row[first[name] : first[name + 1]]
        across = by_column[first[name] : first[name + 1]]
        price = _price(boxes, front.numbers, front.degree, values, to_come, active)
        prices[name] = _price(across, front.numbers, front.degree, values, to_come, active)
        if prices[name] < price:
            boxes[:] = across
        else:
            prices[name] = price
    order = np.empty(component.size, np.int64)
    start = np.zeros(components + 1, np.int32)
    dearest_first = np.arange(components)
    for place in range(1, components):  # a sort by hand: components are few, and numpy's takes seconds to compile
        name, back = dearest_first[place], place
        while back > 0 and prices[dearest_first[back - 1]] < prices[name]:
            dearest_first[back] = dearest_first[back - 1]
            back -= 1
        dearest_first[back] = name
    for place in range(components):
        name = dearest_first[place]
        start[place + 1] = start[place] + first[name + 1] - first[name]
        order[start[place] : start[place + 1]] = by_row[first[name] : first[name + 1]]
    return order, start, prices[dearest_first]
