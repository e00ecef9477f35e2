"""Sums of rows of weights as LLVM vector code: what the network of the evaluation spends its time on.

The order of the additions is the one written here, whatever the machine: the same sums everywhere.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from engine.kernels.bits import intrinsic

WIDTH = 32
"""Numbers in a row: units of both layers of the network."""

_F32 = ir.FloatType()
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_ROW = ir.VectorType(_F32, WIDTH)


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    return context.make_array(array_type)(context, builder, array).data


def _row(builder: Any, base: Any, row: Any) -> Any:
    at = builder.gep(base, [builder.mul(row, ir.Constant(_I64, WIDTH))])
    return builder.bitcast(at, _ROW.as_pointer())


def _splat(builder: Any, value: Any, kind: Any) -> Any:
    """A vector of that type with the same value everywhere."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(_I32, 0))
    return builder.shuffle_vector(
        first, nothing, ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    )


def _load(builder: Any, pointer: Any) -> Any:
    value = builder.load(pointer)
    value.align = 4
    return value


@intrinsic
def add_cells(
    typingctx: Any, out: Any, to: Any, weights: Any, rows: Any, first: Any, kinds: Any, at: Any, bits: Any
) -> Any:
    """Add to row `to` of `out`, for every cell i, row ``rows[first + i] + kinds[at + bits[i]]`` of `weights`.

    `out` and `weights` are ``(n, WIDTH) float32``, `rows` is flat ``int32``, `kinds` flat ``uint8``, `bits` ``int16``.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        of = signature.args
        target = _row(builder, _data(context, builder, of[0], args[0]), args[1])
        table = _data(context, builder, of[2], args[2])
        numbers = builder.gep(_data(context, builder, of[3], args[3]), [args[4]])
        classes = builder.gep(_data(context, builder, of[5], args[5]), [args[6]])
        cells = _data(context, builder, of[7], args[7])
        count = builder.extract_value(context.make_array(of[7])(context, builder, args[7]).shape, 0)
        total = cgutils.alloca_once_value(builder, _load(builder, target))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, count) as loop:
            bit = builder.sext(builder.load(builder.gep(cells, [loop.index])), _I64)
            kind = builder.zext(builder.load(builder.gep(classes, [bit])), _I64)
            number = builder.sext(builder.load(builder.gep(numbers, [loop.index])), _I64)
            row = _load(builder, _row(builder, table, builder.add(number, kind)))
            builder.store(builder.fadd(builder.load(total), row), total)
        builder.store(builder.load(total), target).align = 4
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(out, i64, weights, rows, i64, kinds, i64, bits), codegen


_BYTES = ir.VectorType(ir.IntType(8), 64)


def _bytes(value: int) -> Any:
    return ir.Constant(_BYTES, [value] * 64)


@intrinsic
def class_bytes(
    typingctx: Any,
    out: Any,
    at: Any,
    own: Any,
    own_at: Any,
    rival: Any,
    own_cells: Any,
    ally: Any,
    enemy: Any,
) -> Any:
    """Write the classes of 64 cells to `out` from `at` on (`engine.kernels.levels`).

    `own` (from `own_at` on, a row of the last axis further for each) and `rival` hold the words of the levels but the
    last; the others are the cells that the colour, its allies and its rivals have covered.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        of = signature.args
        mine = builder.gep(_data(context, builder, of[2], args[2]), [args[3]])
        others = _data(context, builder, of[4], args[4])
        step = builder.extract_value(context.make_array(of[2])(context, builder, args[2]).shape, 2)

        def chosen(word: Any, yes: int | Any, no: Any) -> Any:
            mask = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
            return builder.select(mask, _bytes(yes), no)

        by_own, by_rival = _bytes(1 + 5 * 4), _bytes(4)
        for level in range(3, -1, -1):
            word = builder.load(builder.gep(mine, [builder.mul(step, ir.Constant(_I64, level))]))
            by_own = chosen(word, 1 + 5 * level, by_own)
            by_rival = chosen(builder.load(builder.gep(others, [ir.Constant(_I64, level)])), level, by_rival)
        kinds = builder.add(by_own, by_rival)
        for word, kind in ((args[5], 26), (args[6], 27), (args[7], 28)):
            kinds = chosen(word, kind, kinds)
        place = builder.gep(_data(context, builder, of[0], args[0]), [args[1]])
        builder.store(kinds, builder.bitcast(place, _BYTES.as_pointer())).align = 1
        return context.get_dummy_value()

    i64, u64 = types.int64, types.uint64
    return types.void(out, i64, own, i64, rival, u64, u64, u64), codegen


@intrinsic
def add_row(typingctx: Any, out: Any, to: Any, weights: Any, row: Any, factor: Any) -> Any:
    """Add `factor` (``float32``) times row `row` of `weights` to row `to` of `out`, both ``(n, WIDTH) float32``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        target = _row(builder, _data(context, builder, kinds[0], args[0]), args[1])
        source = _row(builder, _data(context, builder, kinds[2], args[2]), args[3])
        factors = _splat(builder, args[4], _ROW)
        product = builder.fmul(factors, _load(builder, source))
        builder.store(builder.fadd(_load(builder, target), product), target).align = 4
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(out, i64, weights, i64, types.float32), codegen


@intrinsic
def weighted_rows(typingctx: Any, out: Any, to: Any, weights: Any, first: Any, inputs: Any, row: Any) -> Any:
    """Add to row `to` of `out` the rows ``first + i`` of `weights`, each times ``max(0, inputs[row, i])``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        target = _row(builder, _data(context, builder, kinds[0], args[0]), args[1])
        table = _data(context, builder, kinds[2], args[2])
        base = _data(context, builder, kinds[4], args[4])
        total = cgutils.alloca_once_value(builder, _load(builder, target))  # type: ignore[no-untyped-call]
        offset = builder.mul(args[5], ir.Constant(_I64, WIDTH))
        with cgutils.for_range(builder, ir.Constant(_I64, WIDTH)) as loop:
            value = builder.load(builder.gep(base, [builder.add(offset, loop.index)]))
            with builder.if_then(builder.fcmp_ordered(">", value, ir.Constant(_F32, 0.0))):
                factors = _splat(builder, value, _ROW)
                weight = _load(builder, _row(builder, table, builder.add(args[3], loop.index)))
                builder.store(builder.fadd(builder.load(total), builder.fmul(factors, weight)), total)
        builder.store(builder.load(total), target).align = 4
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(out, i64, weights, i64, inputs, i64), codegen


GATHERED = 8
"""Rows of indexes that `sum_at` takes are multiples of this; it adds twice as many numbers at a time."""

_LANES = 2 * GATHERED


def _addresses(builder: Any, base: Any, index: Any) -> Any:
    """Addresses of `base` at a vector of indexes: so said, processors gather with these, and not one by one."""
    found = ir.instructions.GEPInstr(builder.block, base, [index], False, "", source_etype=_F32)
    found.type = ir.VectorType(_F32.as_pointer(), index.type.count)  # llvmlite knows of one index only
    builder._insert(found)
    return found


def _gathered(builder: Any, base: Any, indexes: Any, count: int) -> Any:
    """`count` numbers of `base` at the `int16` indexes that a pointer points to."""
    packed = builder.load(builder.bitcast(indexes, ir.VectorType(ir.IntType(16), count).as_pointer()))
    packed.align = 2
    numbers = ir.VectorType(_F32, count)
    pointers = ir.VectorType(_F32.as_pointer(), count)
    mask = ir.VectorType(ir.IntType(1), count)
    gather = builder.module.declare_intrinsic(
        f"llvm.masked.gather.v{count}f32.v{count}p0",
        fnty=ir.FunctionType(numbers, [pointers, _I32, mask, numbers]),
    )
    wide = builder.sext(packed, ir.VectorType(_I32, count))
    nothing = ir.Constant(numbers, ir.Undefined)
    return builder.call(
        gather,
        [_addresses(builder, base, wide), ir.Constant(_I32, 4), ir.Constant(mask, [1] * count), nothing],
    )


@intrinsic
def sum_at(typingctx: Any, values: Any, indexes: Any, row: Any) -> Any:
    """Sum of the ``float32`` numbers of `values` at the indexes in a row of `indexes`, ``(n, k GATHERED) int16``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        of = signature.args
        base = _data(context, builder, of[0], args[0])
        table = context.make_array(of[1])(context, builder, args[1])
        length = builder.extract_value(table.shape, 1)
        first = builder.gep(table.data, [builder.mul(args[2], length)])
        lanes = ir.VectorType(_F32, _LANES)
        zeros = ir.Constant(lanes, [0.0] * _LANES)
        total = cgutils.alloca_once_value(builder, zeros)  # type: ignore[no-untyped-call]
        steps = builder.udiv(length, ir.Constant(_I64, _LANES))
        with cgutils.for_range(builder, steps) as loop:
            here = builder.gep(first, [builder.mul(loop.index, ir.Constant(_I64, _LANES))])
            found = _gathered(builder, base, here, _LANES)
            builder.store(builder.fadd(found, builder.load(total)), total)
        done = builder.mul(steps, ir.Constant(_I64, _LANES))
        with builder.if_then(builder.icmp_unsigned("<", done, length)):
            half = _gathered(builder, base, builder.gep(first, [done]), GATHERED)
            wide = builder.shuffle_vector(
                half,
                ir.Constant(half.type, [0.0] * GATHERED),
                ir.Constant(ir.VectorType(_I32, _LANES), list(range(_LANES))),
            )
            builder.store(builder.fadd(wide, builder.load(total)), total)
        sums = builder.load(total)
        # Halves are added until one number is left: the same order everywhere.
        width = _LANES
        while width > 1:
            width //= 2
            halves = [
                builder.shuffle_vector(sums, sums, ir.Constant(ir.VectorType(_I32, width), list(half)))
                for half in (range(width), range(width, 2 * width))
            ]
            sums = builder.fadd(*halves)
        return builder.extract_element(sums, ir.Constant(_I32, 0))

    return types.float32(values, indexes, types.int64), codegen
