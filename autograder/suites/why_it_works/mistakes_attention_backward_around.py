"""What students do wrong in attention_backward around the formulas: the mask, the batch, what is returned."""

import numpy as np

from autograder.suites import mistake, telling
from autograder.suites.why_it_works.gradients import allowed, back, inputs, turned, weights_of

STEP = "attention_backward"


@mistake(
    STEP,
    en="The mask is ignored: forbidden pairs have a weight of 0 and carry no gradient.",
    zh="没有用掩码：不许看的位置权重为 0，不传梯度。",
)
def ignores_the_mask(correct, Q, K, V, mask, d_output):
    return correct(Q, K, V, None, d_output)


@mistake(
    STEP,
    en="The idea is right, the convention another: here True means may attend.",
    zh="想法正确，约定相反：这里 True 表示允许看。",
    convention=True,
)
def takes_true_for_forbidden(correct, Q, K, V, mask, d_output):
    return correct(Q, K, V, mask if mask is None else ~mask, d_output)


@mistake(
    STEP,
    en="The mask came after the softmax: the weights that are left no longer sum to 1. Mask the scores.",
    zh="掩码用在了 softmax 之后：剩下的权重加起来不再是 1。要屏蔽的是分数。",
)
def masks_the_weights(correct, Q, K, V, mask, d_output):
    allowed = True if mask is None else mask
    return back(Q, K, V, mask, d_output, weights=weights_of(Q, K, None) * allowed)


@mistake(
    STEP,
    en="Forbidden scores became 0, which is a score like any other: they become minus infinity.",
    zh="不许看的分数填成了 0，那也是一个普通的分数：应填负无穷。",
)
def fills_with_zero(correct, Q, K, V, mask, d_output):
    scores = Q @ turned(K) / np.sqrt(Q.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, 0.0)
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return back(Q, K, V, mask, d_output, weights=raised / raised.sum(axis=-1, keepdims=True))


@mistake(
    STEP,
    en="A forbidden score became a large negative number, and allowed ones may lie below: use -infinity.",
    zh="不许看的分数填了很大的负数，而允许看的分数可能更小：应填负无穷。",
)
def fills_with_a_finite_number(correct, Q, K, V, mask, d_output):
    scores = Q @ turned(K) / np.sqrt(Q.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, -1e9)
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return back(Q, K, V, mask, d_output, weights=raised / raised.sum(axis=-1, keepdims=True))


@mistake(
    STEP,
    en="None was taken for 'all forbidden': where mask is None, leave the scores as they are.",
    zh="把 None 当成了全都不许看：mask 为 None 时，分数保持原样。",
)
def takes_none_for_all_forbidden(correct, Q, K, V, mask, d_output):
    if mask is not None:
        return correct(Q, K, V, mask, d_output)
    return tuple(np.zeros(part.shape) for part in (Q, K, V))


@mistake(
    STEP,
    en="The mask was used on the way back alone: the weights are those of the forward pass, made under it.",
    zh="只在反向时用了掩码：权重应与前向时相同，是在掩码下算的。",
)
def masks_the_gradient_alone(correct, Q, K, V, mask, d_output):
    def through(weights, d_weights):
        inner = (weights * d_weights).sum(axis=-1, keepdims=True)
        return weights * (d_weights - inner) * (True if mask is None else mask)

    return back(Q, K, V, mask, d_output, weights=weights_of(Q, K, None), through=through)


@mistake(
    STEP,
    en="The causal mask is always there: the argument mask says what may be seen, and None means everything.",
    zh="总是用因果掩码：能看什么由参数 mask 决定，None 表示都能看。",
)
def is_always_causal(correct, Q, K, V, mask, d_output):
    return correct(Q, K, V, np.tri(Q.shape[-2], K.shape[-2], dtype=bool), d_output)


@mistake(
    STEP,
    en="d_output is ignored: the gradient that comes in is not 1 everywhere.",
    zh="没有用 d_output：传进来的梯度并不处处为 1。",
)
def ignores_d_output(correct, Q, K, V, mask, d_output):
    return correct(Q, K, V, mask, np.ones_like(d_output))


@mistake(
    STEP,
    en="The output stands where its gradient d_output belongs.",
    zh="该用输出的梯度 d_output 的地方，用了输出本身。",
)
def takes_the_output_for_its_gradient(correct, Q, K, V, mask, d_output):
    return correct(Q, K, V, mask, weights_of(Q, K, mask) @ V)


@mistake(
    STEP,
    en="All three have the sign turned round: a gradient points to where the loss grows.",
    zh="三个梯度的符号都反了：梯度指向损失增大的方向。",
)
def goes_downhill(correct, Q, K, V, mask, d_output):
    return tuple(-part for part in correct(Q, K, V, mask, d_output))


@mistake(
    STEP,
    en="It was divided by the number of queries: the loss is not a mean; d_output says all that there is.",
    zh="除以了查询的个数：损失不是平均，d_output 里已经说全了。",
)
def averages_the_queries(correct, Q, K, V, mask, d_output):
    return tuple(part / Q.shape[-2] for part in correct(Q, K, V, mask, d_output))


@mistake(
    STEP,
    en="dQ and dK have changed places.",
    zh="dQ 和 dK 的位置对调了。",
)
def swaps_d_q_and_d_k(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dK, dQ, dV


@mistake(
    STEP,
    en="dK and dV have changed places.",
    zh="dK 和 dV 的位置对调了。",
)
def swaps_d_k_and_d_v(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dQ, dV, dK


@mistake(
    STEP,
    en="The three come in the order in which they are computed, dV first: return dQ, dK, dV.",
    zh="按计算的先后返回了，dV 在最前：应依次返回 dQ、dK、dV。",
)
def returns_them_in_the_order_of_computing(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dV, dQ, dK


@mistake(
    STEP,
    en="Everything is right, and came as a list: here the three are returned as a tuple.",
    zh="都对，只是返回了列表：这里三个梯度要以元组返回。",
    convention=True,
)
def returns_a_list(correct, Q, K, V, mask, d_output):
    return list(correct(Q, K, V, mask, d_output))


@mistake(
    STEP,
    en="The gradients of all sentences were added up: each item of a batch keeps its own.",
    zh="把所有句子的梯度加在了一起：批次里每一项保留自己的梯度。",
)
def adds_up_the_batch(correct, Q, K, V, mask, d_output):
    axes = tuple(range(Q.ndim - 2))
    return tuple(part.sum(axis=axes) for part in correct(Q, K, V, mask, d_output))


@mistake(
    STEP,
    en="The gradients were averaged over the batch: each item keeps its own.",
    zh="对批次取了平均：每一项保留自己的梯度。",
)
def averages_the_batch(correct, Q, K, V, mask, d_output):
    axes = tuple(range(Q.ndim - 2))
    return tuple(part.mean(axis=axes) for part in correct(Q, K, V, mask, d_output))


@mistake(
    STEP,
    en="dV passes no gradient on: it is the weights, turned round, times d_output.",
    zh="dV 没有梯度：应是转置后的权重乘 d_output。",
)
def forgets_the_values(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dQ, dK, np.zeros_like(dV)


@mistake(
    STEP,
    en="dV was divided by the root of d_k: no score stands between V and output.",
    zh="dV 除以了 √d_k：除以它的是分数，而 V 和输出之间没有分数。",
)
def divides_d_v(correct, Q, K, V, mask, d_output):
    dQ, dK, dV = correct(Q, K, V, mask, d_output)
    return dQ, dK, dV / np.sqrt(Q.shape[-1])


@mistake(
    STEP,
    en="Large scores overflow in the exponential: subtract each row's maximum first, or call softmax.",
    zh="大的分数会让指数溢出：先减去本行的最大值，或调用 softmax。",
)
def overflows_in_the_exponential(correct, Q, K, V, mask, d_output):
    scores = Q @ turned(K) / np.sqrt(Q.shape[-1])
    raised = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    return back(Q, K, V, mask, d_output, weights=raised / raised.sum(axis=-1, keepdims=True))


@mistake(
    STEP,
    en="Results took the type of whole-number arguments, so fractions were cut off: make arrays of floats.",
    zh="结果的类型跟着整数参数走了，小数被截掉：请用浮点数组。",
)
def cuts_off_fractions(correct, Q, K, V, mask, d_output):
    kinds = (Q.dtype, K.dtype, V.dtype)
    return tuple(
        part.astype(kind) for part, kind in zip(correct(Q, K, V, mask, d_output), kinds, strict=True)
    )


@telling(STEP)
def squares(rng):
    """There a forgotten transposition gives numbers instead of an exception."""
    same = {"n_queries": 4, "n_keys": 4, "d_k": 4, "d_v": 4}
    return [inputs(rng, **same), inputs(rng, 4, **same, mask=allowed(rng, 4, 4))]
