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


def _items(context: Any, builder: Any, array_type: Any, array: Any, bits: int) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(data, ir.IntType(bits).as_pointer())


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
    """Anchors of a shape from those of its parent; returns 1 if it fits somewhere where it touches a liberty, else 0.

    Byte offsets: `node` and `parent` of the anchors where they fit (where they touch: `touch` bytes further), `free`
    and `liberty` of the free cells and liberties shifted to the extra cell.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, node_at, parent_at, free_at, liberty_at, touch_by, n = args
        base = _address(context, builder, signature.args[0], array)
        nothing = ir.Constant(_VECTOR, [0] * BLOCK)
        legal = _variable(builder, nothing)
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
            builder.store(builder.or_(builder.load(legal), builder.and_(fit, meet)), legal)
        return _any_bit(builder, builder.load(legal))

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


@intrinsic
def add_shifted(typingctx: Any, out: Any, to: Any, work: Any, at: Any, up: Any, blocks: Any) -> Any:
    """Add the bit string at byte `at` of `work`, shifted up by 0 to 63 bits, to that at byte `to` of `out`.

    The word before the string must be readable: its high bits come in at the bottom.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target = _address(context, builder, signature.args[0], args[0])
        source = _address(context, builder, signature.args[2], args[2])
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        same = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
        one = builder.insert_element(nothing, args[4], ir.Constant(ir.IntType(32), 0))
        left = builder.shuffle_vector(one, nothing, same)
        # Two shifts down, because one by all 64 bits is none.
        right = builder.sub(ir.Constant(_VECTOR, [63] * BLOCK), left)
        with cgutils.for_range(builder, args[5]) as loop:
            step = builder.mul(loop.index, ir.Constant(_I64, _BYTES))
            here, there = builder.add(args[3], step), builder.add(args[1], step)
            low = _load(builder, source, builder.sub(here, ir.Constant(_I64, 8)))
            carry = builder.lshr(builder.lshr(low, ir.Constant(_VECTOR, [1] * BLOCK)), right)
            moved = builder.or_(builder.shl(_load(builder, source, here), left), carry)
            _store(builder, builder.or_(_load(builder, target, there), moved), target, there)
        return context.get_dummy_value()

    i64 = types.int64
    return types.void(out, i64, work, i64, i64, i64), codegen


@intrinsic
def note_words(
    typingctx: Any, work: Any, one: Any, other: Any, words: Any, label: Any, step: Any, to: Any
) -> Any:
    """Note the words that two bit strings of `work` have in common and that are not 0; returns the end of the notes.

    The strings begin at the words `one` and `other` and have `words` words. A note is two words of `work` from `to` on:
    the common bits, and `label` plus `step` for every word before them.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, one_at, other_at, n, label, step, to = args
        items = _items(context, builder, signature.args[0], array, 64)
        end = _variable(builder, to)
        builder.store(to, end)
        with cgutils.for_range(builder, n) as loop:
            left = builder.load(builder.gep(items, [builder.add(one_at, loop.index)]))
            right = builder.load(builder.gep(items, [builder.add(other_at, loop.index)]))
            both, at = builder.and_(left, right), builder.load(end)
            # Written whether it counts or not: no branch that a processor could guess wrong.
            builder.store(both, builder.gep(items, [at]))
            name = builder.add(label, builder.mul(loop.index, step))
            builder.store(name, builder.gep(items, [builder.add(at, ir.Constant(_I64, 1))]))
            counts = builder.icmp_unsigned("!=", both, ir.Constant(_I64, 0))
            more = builder.select(counts, ir.Constant(_I64, 2), ir.Constant(_I64, 0))
            builder.store(builder.add(at, more), end)
        return builder.load(end)

    i64 = types.int64
    return i64(work, i64, i64, i64, i64, i64, i64), codegen


AT_ONCE = 4
"""Numbers that `write_numbers` writes at a time."""


@intrinsic
def write_numbers(typingctx: Any, work: Any, start: Any, end: Any, table: Any, out: Any) -> Any:
    """For every bit of the notes from word `start` to `end`, write ``table[label + bit]`` to `out`; returns how many.

    `table` is ``uint16``, read as if it were flat, `out` ``int32`` with room for AT_ONCE more than there are. They are
    written AT_ONCE at a time whether there are as many or not: a wrong guess of a branch costs more than the writes.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        items = _items(context, builder, kinds[0], args[0], 64)
        numbers = _items(context, builder, kinds[3], args[3], 16)
        target = _items(context, builder, kinds[4], args[4], 32)
        one, nothing = ir.Constant(_I64, 1), ir.Constant(_I64, 0)
        count = _variable(builder, nothing)
        builder.store(nothing, count)
        notes = builder.lshr(builder.sub(args[2], args[1]), one)
        with cgutils.for_range(builder, notes) as loop:
            at = builder.add(args[1], builder.shl(loop.index, one))
            bits = builder.load(builder.gep(items, [at]))
            row = builder.gep(numbers, [builder.load(builder.gep(items, [builder.add(at, one)]))])
            n = builder.load(count)
            builder.store(builder.add(n, builder.ctpop(bits)), count)
            before, more = builder.block, builder.append_basic_block("more")
            after = builder.append_basic_block("after")
            builder.branch(more)
            builder.position_at_end(more)
            rest, to = builder.phi(_I64), builder.phi(_I64)
            rest.add_incoming(bits, before)
            to.add_incoming(n, before)
            left = rest
            for k in range(AT_ONCE):
                bit = builder.cttz(left, ir.Constant(ir.IntType(1), 0))
                number = builder.zext(builder.load(builder.gep(row, [bit])), ir.IntType(32))
                builder.store(number, builder.gep(target, [builder.add(to, ir.Constant(_I64, k))]))
                left = builder.and_(left, builder.sub(left, one))
            rest.add_incoming(left, more)
            to.add_incoming(builder.add(to, ir.Constant(_I64, AT_ONCE)), more)
            builder.cbranch(builder.icmp_unsigned("!=", left, nothing), more, after)
            builder.position_at_end(after)
        return builder.load(count)

    i64 = types.int64
    return i64(work, i64, i64, table, out), codegen
