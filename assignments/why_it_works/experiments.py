"""Experiments for the notebook: what your functions do when they are put to work, as tables and plots.

Nothing here is graded, and nothing here holds a solution: every experiment runs the functions that you pass.
It needs NumPy. Where matplotlib is installed it plots too; where it is not, the tables say the same.

笔记本里的实验：把你写的函数用起来，结果列成表、画成图。这里什么都不计分。没有 matplotlib 就只有表，内容一样。
"""

import numpy as np

# --- gradients by trial ---


def numerical_gradients(loss, arrays, step=1e-5):
    """The derivatives of loss(*arrays), a number, at every entry of every array, by central differences."""
    arrays = [np.array(array, dtype=float) for array in arrays]
    gradients = [np.zeros_like(array) for array in arrays]
    for array, gradient in zip(arrays, gradients):
        for index in np.ndindex(*array.shape):
            kept = array[index]
            array[index] = kept + step
            above = loss(*arrays)
            array[index] = kept - step
            gradient[index] = (above - loss(*arrays)) / (2 * step)
            array[index] = kept
    return gradients


def compare_gradients(attention, attention_backward):
    """Prints how far dQ, dK and dV are from central differences; returns the largest distance of all."""
    print("largest distance from central differences 与中心差分的最大差距")
    distances = []
    for name, inputs, mask, d_output in _gradient_cases():
        expected = numerical_gradients(_loss_of(attention, mask, d_output), inputs)
        found = attention_backward(*inputs, mask, d_output)
        far = [_distance(*pair) for pair in zip(found, expected)] + [np.inf] * (3 - len(found))
        print(f"  {name:<12}" + "".join(f"   {part} {d:7.1e}" for part, d in zip(("dQ", "dK", "dV"), far)))
        distances += far
    return max(distances)


def _loss_of(attention, mask, d_output):
    """A number whose gradient at the output of attention is d_output."""
    return lambda Q, K, V: float((attention(Q, K, V, mask) * d_output).sum())


def _distance(found, expected):
    return float(np.abs(found - expected).max()) if np.shape(found) == expected.shape else np.inf


def _gradient_cases():
    """Names and arguments: rectangular, masked, in a batch."""
    draw = np.random.default_rng(7)
    for name, batch, n_queries, n_keys in (
        ("2 x 5", (), 2, 5),
        ("causal", (), 4, 4),
        ("batch", (2, 3), 3, 4),
    ):
        sizes = ((n_queries, 3), (n_keys, 3), (n_keys, 6), (n_queries, 6))
        *inputs, d_output = (draw.standard_normal((*batch, *size)) for size in sizes)
        mask = np.tri(n_queries, n_keys, 0 if name == "causal" else n_keys, dtype=bool)
        yield name, inputs, mask, d_output


# --- where training starts ---


def zero_start(self_attention, xavier_uniform, steps=200):
    """Trains the three tokens' attention from three starts; prints gradients, losses and weights."""
    print("                 first gradients 第一步的梯度       loss 损失          weights 权重")
    print("start 起点         W_Q     W_K     W_V    first 开始  last 最后    mouse 鼠")
    curves = {}
    for name, zeros in (("W_Q = W_K = 0", (0, 1)), ("W_Q = 0", (0,)), ("Xavier", ())):
        gradients, curves[name], weights = descent(self_attention, xavier_uniform, zeros, steps)
        sizes = "".join(f"{size:8.3f}" for size in gradients)
        ends = "".join(f"{curves[name][at]:11.3f}" for at in (0, -1))
        print(f"{name:<14}{sizes}{ends}    {np.round(weights[2], 3)}")
    _plot_losses(curves, "steps of gradient descent")


def descent(self_attention, xavier_uniform, zeros, steps=200, rate=0.02):
    """The sizes of the first gradients at W_Q, W_K, W_V, the loss at every step, the weights at the end.

    `zeros` numbers the matrices that begin as zeros.
    """
    x, rng = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]]), np.random.default_rng(0)
    target = np.array([[1.0, 0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 3.0, 3.0, 4.0], [1.0, 0.0, 1.0, 1.0, 1.0]])
    matrices = [np.array(xavier_uniform(2, width, rng), dtype=float) for width in (4, 4, 5)]
    for place in zeros:
        matrices[place][:] = 0

    def loss(*matrices):
        return float(((self_attention(x, *matrices)[0] - target) ** 2).sum()) / 2

    first, curve = None, []
    for _ in range(steps):
        gradients = numerical_gradients(loss, matrices)
        first = first or [float(np.linalg.norm(gradient)) for gradient in gradients]
        curve.append(loss(*matrices))
        matrices = [matrix - rate * gradient for matrix, gradient in zip(matrices, gradients)]
    return first, np.array(curve), self_attention(x, *matrices)[1]


# --- saturation ---


def saturation_table(saturation, n_keys=10, n_rows=500):
    """Prints and plots your four measurements for widths from 4 to 512, without the scale and with it."""
    print("          entropy 熵   largest 最大权重   above 0.99 占比   median Jacobian norm 雅可比中位数")
    widths, curves = (4, 16, 64, 256, 512), {}
    for scaled in (False, True):
        name = "scaled" if scaled else "not scaled"
        print(name + (" 缩放" if scaled else " 不缩放"))
        rows = [saturation(d_k, n_keys, n_rows, np.random.default_rng(0), scaled) for d_k in widths]
        for d_k, (entropy, largest, share, norm) in zip(widths, rows):
            print(f"  d_k {d_k:>4}{entropy:10.3f}{largest:14.3f}{share:17.0%}{norm:16.5f}")
        curves[name] = [row[3] for row in rows]
    axes = {"xlabel": "d_k", "ylabel": "median norm of the Jacobian"}
    _plot(curves, widths, xscale="log", yscale="log", **axes)


# --- training with and without the mask ---

LETTERS = "^abcdefgh"  # ^ begins every text
WORD = 6  # letters of a word; its answer is as long, each letter moved on by one: facade -> gbdbef
LENGTH = 2 * WORD  # positions that predict the next letter


def train_both(attention, attention_backward, xavier_uniform, steps=300):
    """Trains one small model with the causal mask and one without; prints what each learned, and plots it."""
    worst = compare_gradients(attention, attention_backward)
    if not worst < 1e-6:
        print("Not trained: mend attention_backward first. The handout's figure shows what comes out.")
        print("没有训练：先改好 attention_backward。结果见讲义里的图。")
        return
    print("\n                   loss 损失   facade ->   letters right 正确的字母")
    curves = {}
    for name, causal in (("with the mask", True), ("without a mask", False)):
        model, curves[name] = train(attention, attention_backward, xavier_uniform, causal, steps)
        right, line = judge(attention, model, causal)
        each = " ".join(f"{share:.0%}" for share in right)
        print(f"{name:<16}{curves[name][-20:].mean():12.2f}   {line:>9}{right.mean():>12.0%}   {each}")
    curves["half of ln 8"] = np.full(steps, np.log(8) / 2)  # no lower without seeing what comes later
    _plot_losses(curves, "steps of training")


def train(attention, attention_backward, xavier_uniform, causal, steps=300, rate=0.05):
    """The model after training, as four matrices, and its loss at every step."""
    rng = np.random.default_rng(0)
    n_symbols, width = len(LETTERS), len(LETTERS) + LENGTH
    sizes = ((width, 16), (width, 16), (width, 16), (16, n_symbols))
    model = [np.asarray(xavier_uniform(*size, rng), dtype=float) for size in sizes]
    averages, squares, curve = [0.0] * 4, [0.0] * 4, []
    for t in range(1, steps + 1):
        texts = _texts(rng.integers(1, n_symbols, (32, WORD)))
        loss, gradients = _loss(attention, attention_backward, model, texts, causal)
        curve.append(loss)
        for i, gradient in enumerate(gradients):  # one step of Adam
            averages[i] = 0.9 * averages[i] + 0.1 * gradient
            squares[i] = 0.99 * squares[i] + 0.01 * gradient**2
            size = np.sqrt(squares[i] / (1 - 0.99**t)) + 1e-8
            model[i] = model[i] - rate * averages[i] / (1 - 0.9**t) / size
    return model, np.array(curve)


def judge(attention, model, causal):
    """How often each letter that it writes after 200 new words is right, and what it writes after facade."""
    texts = _texts(np.random.default_rng(1).integers(1, len(LETTERS), (200, WORD)))
    right = _written(attention, model, texts[:, : WORD + 1], causal) == texts[:, WORD + 1 :]
    word = np.array([[LETTERS.index(letter) for letter in "^facade"]])
    return right.mean(axis=0), "".join(LETTERS[i] for i in _written(attention, model, word, causal)[0])


def _texts(words):
    """^, a word, and the word with every letter moved on by one, h to a."""
    start = np.zeros((len(words), 1), dtype=int)
    return np.concatenate([start, words, words % (len(LETTERS) - 1) + 1], axis=1)


def _seen(texts):
    """What the model sees of each position: its letter and its place, as zeros and a one each."""
    length = texts.shape[-1]
    places = np.broadcast_to(np.eye(LENGTH)[:length], (*texts.shape, LENGTH))
    return np.concatenate([np.eye(len(LETTERS))[texts], places], axis=-1)


def _mask(length, causal):
    return np.tri(length, dtype=bool) if causal else np.ones((length, length), dtype=bool)


def _chances(outputs, W_O):
    """The chance of every letter: exponentials of outputs times W_O, over their sum."""
    logits = outputs @ W_O
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def _loss(attention, attention_backward, model, texts, causal):
    """The mean cross-entropy of the next letter, and its gradient at each matrix of the model."""
    x, following, mask = _seen(texts[:, :-1]), np.eye(len(LETTERS))[texts[:, 1:]], _mask(LENGTH, causal)
    Q, K, V = (x @ matrix for matrix in model[:3])
    outputs = attention(Q, K, V, mask)
    chances = _chances(outputs, model[3])
    loss = -np.log((chances * following).sum(axis=-1)).mean()
    d_logits = (chances - following) / following[..., 0].size
    parts = attention_backward(Q, K, V, mask, d_logits @ model[3].T)
    pairs = [*((x, part) for part in parts), (outputs, d_logits)]
    return loss, [np.einsum("bni,bnj->ij", left, right) for left, right in pairs]


def _written(attention, model, texts, causal):
    """The letters that the model writes after the texts, each time the likeliest one, from what is there."""
    length = texts.shape[1]
    while texts.shape[1] <= LENGTH:
        x = _seen(texts)
        outputs = attention(*(x @ matrix for matrix in model[:3]), _mask(texts.shape[1], causal))
        best = _chances(outputs[:, -1], model[3]).argmax(axis=-1)
        texts = np.concatenate([texts, best[:, np.newaxis]], axis=1)
    return texts[:, length:]


# --- plots, where they can be had ---


def _plot_losses(curves, label):
    _plot(curves, xlabel=label, ylabel="loss", ylim=(0, None))


def _plot(curves, at=None, **axes):
    """One line for each curve, over its steps or over `at`; a word where matplotlib is not installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        print("(no plot: matplotlib is not installed; 没有图：未安装 matplotlib)")
        return
    _, axis = pyplot.subplots(figsize=(6, 3))
    for (name, curve), style in zip(curves.items(), ("-", "--", ":")):
        axis.plot(range(len(curve)) if at is None else at, curve, style, label=name)
    axis.set(**axes)
    axis.legend()
    pyplot.show()
