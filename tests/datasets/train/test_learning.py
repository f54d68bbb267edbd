"""What all trainings have in common."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from datasets.train.learning import Learning  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def line(steps: int, mean: float = 0.0) -> Learning:
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    return Learning(net, steps, ((net.parameters(), 0.1),), mean=mean)


def learn(learning: Learning) -> None:
    """One step towards a sum of two numbers."""
    pairs = torch.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]])
    learning.learn((learning.net(pairs)[:, 0] - pairs.sum(1)).square().mean())


@pytest.mark.parametrize("steps", [2, 3, 10, 60])
def test_it_learns_however_few_steps_there_are(steps: int):
    learning, first = line(steps), None
    for _ in learning.left:
        learn(learning)
        first = first or learning.recent
    assert learning.left == range(steps, steps)
    assert learning.recent < first


def test_the_average_follows_the_network():
    learning = line(60, mean=0.9)
    start = learning.net.weight.clone()
    for _ in learning.left:
        learn(learning)
    way, followed = learning.net.weight - start, learning.average.weight - start
    assert torch.all((followed / way > 0.5) & (followed / way < 1.1))


def test_it_goes_on_where_it_stood(tmp_path: Path):
    whole, half = line(8), line(8)
    for _ in whole.left:
        learn(whole)
    for _ in range(4):
        learn(half)
    half.keep(tmp_path / "last.pt")
    rest = line(8)
    rest.resume(tmp_path / "last.pt")
    assert rest.left == range(4, 8)
    for _ in rest.left:
        learn(rest)
    assert torch.equal(whole.net.weight, rest.net.weight)


def test_a_finished_training_does_not_go_on_as_a_longer_one(tmp_path: Path):
    short = line(2)
    for _ in short.left:
        learn(short)
    short.keep(tmp_path / "last.pt")
    with pytest.raises(SystemExit, match=r"a training of 2 steps.*one of 9.*--start"):
        line(9).resume(tmp_path / "last.pt")


def test_without_a_file_it_begins(tmp_path: Path):
    learning = line(3)
    learning.resume(tmp_path / "last.pt")
    assert learning.left == range(3)
