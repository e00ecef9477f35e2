"""Bit tricks that Numba does not offer, as LLVM vector code.

All work on a flat ``uint64`` array and byte offsets into it. A vector step handles BLOCK words; loads may be
unaligned, because a shift of a bit string by n is a load n // 8 bytes further of its copy shifted by n % 8.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as _intrinsic

from engine.geometry import BLOCK

intrinsic: Any = _intrinsic  # its type knows nothing of the arguments that callers leave out
_I64 = ir.IntType(64)
_VECTOR = ir.VectorType(_I64, BLOCK)
_BYTES = BLOCK * 8


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Number of set bits of a ``uint64``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def trailing_zeros(typingctx: Any, word: Any) -> Any:
    """Index of the lowest set bit of a ``uint64``; 64 for 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


def _address(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(data, ir.IntType(8).as_pointer())


def _load(builder: Any, base: Any, offset: Any) -> Any:
    pointer = builder.bitcast(builder.gep(base, [offset]), _VECTOR.as_pointer())
    value = builder.load(pointer)
    value.align = 1
    return value


def _store(builder: Any, value: Any, base: Any, offset: Any) -> None:
    pointer = builder.bitcast(builder.gep(base, [offset]), _VECTOR.as_pointer())
    builder.store(value, pointer).align = 1


def _variable(builder: Any, value: Any) -> Any:
    return cgutils.alloca_once_value(builder, value)  # type: ignore[no-untyped-call]


def _any_bit(builder: Any, vector: Any) -> Any:
    function = builder.module.declare_intrinsic(
        f"llvm.vector.reduce.or.v{BLOCK}i64", fnty=ir.FunctionType(_I64, [_VECTOR])
    )
    word = builder.call(function, [vector])
    return builder.zext(builder.icmp_unsigned("!=", word, ir.Constant(_I64, 0)), _I64)


@intrinsic
def shifted_copies(typingctx: Any, work: Any, source: Any, step: Any, blocks: Any) -> Any:
    """Write the bit string at byte `source`, shifted down by 1 to 7 bits, `step`, 2 `step`, ... bytes further.

    The word behind the string must be readable; its low bits come in at the top.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        base = _address(context, builder, signature.args[0], args[0])
        with cgutils.for_range(builder, args[3]) as loop:
            here = builder.add(args[1], builder.mul(loop.index, ir.Constant(_I64, _BYTES)))
            low = _load(builder, base, here)
            high = _load(builder, base, builder.add(here, ir.Constant(_I64, 8)))
            target = here
            for shift in range(1, 8):
                target = builder.add(target, args[2])
                down = builder.lshr(low, ir.Constant(_VECTOR, [shift] * BLOCK))
                up = builder.shl(high, ir.Constant(_VECTOR, [64 - shift] * BLOCK))
                _store(builder, builder.or_(down, up), base, target)
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(work, i64, i64, i64), codegen


@intrinsic
def grow_node(
    typingctx: Any, work: Any, node: Any, parent: Any, free: Any, liberty: Any, touch: Any, blocks: Any
) -> Any:
    """Anchors of a shape from those of its parent; returns 0: fits nowhere, 1: fits, 2: fits and touches a liberty.

    Byte offsets: `node` and `parent` of the anchors where they fit (where they touch: `touch` bytes further), `free`
    and `liberty` of the free cells and liberties shifted to the extra cell.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, node_at, parent_at, free_at, liberty_at, touch_by, n = args
        base = _address(context, builder, signature.args[0], array)
        nothing = ir.Constant(_VECTOR, [0] * BLOCK)
        fits, legal = _variable(builder, nothing), _variable(builder, nothing)
        builder.store(nothing, fits)
        builder.store(nothing, legal)
        with cgutils.for_range(builder, n) as loop:
            step = builder.mul(loop.index, ir.Constant(_I64, _BYTES))

            def at(offset: Any, step: Any = step) -> Any:
                return builder.add(offset, step)

            fit = builder.and_(_load(builder, base, at(parent_at)), _load(builder, base, at(free_at)))
            meet = builder.or_(
                _load(builder, base, at(builder.add(parent_at, touch_by))),
                _load(builder, base, at(liberty_at)),
            )
            _store(builder, fit, base, at(node_at))
            _store(builder, meet, base, at(builder.add(node_at, touch_by)))
            builder.store(builder.or_(builder.load(fits), fit), fits)
            builder.store(builder.or_(builder.load(legal), builder.and_(fit, meet)), legal)
        return builder.add(_any_bit(builder, builder.load(fits)), _any_bit(builder, builder.load(legal)))

    i64 = types.int64
    return i64(work, i64, i64, i64, i64, i64, i64), codegen


@intrinsic
def spread_node(typingctx: Any, work: Any, node: Any, parent: Any, total: Any, blocks: Any) -> Any:
    """Add the bit string at byte `node` to those at bytes `parent` and `total`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, node_at, parent_at, total_at, n = args
        base = _address(context, builder, signature.args[0], array)
        with cgutils.for_range(builder, n) as loop:
            step = builder.mul(loop.index, ir.Constant(_I64, _BYTES))
            mine = _load(builder, base, builder.add(node_at, step))
            for offset in (parent_at, total_at):
                there = builder.add(offset, step)
                _store(builder, builder.or_(mine, _load(builder, base, there)), base, there)
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(work, i64, i64, i64, i64), codegen
