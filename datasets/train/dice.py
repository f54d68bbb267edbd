"""Trains a dice classifier, the first (`recipes/dice.yaml`) or the second (`recipes/second.yaml`), on drawn crops and on crops of
photos and scenes.

Files of drawn crops are read as they appear in their folders, so more can be drawn during the training. The moving average of
the weights is what is tested and exported. An interrupted run resumes from `last.pt`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn.dice import NOTHING
from datasets.labels import crop_files
from datasets.labels import photos as labelled
from datasets.labels.crop_files import StoredCrop
from datasets.train.dice_crops import LOOK_ALIKE, MISTAKEN, photo_crops, scene_crops
from datasets.train.dice_views import plain, varied
from datasets.train.learning import Learning, logits, tensor
from datasets.train.onnx_export import export
from datasets.train.opinion_pool import pool_weights
from datasets.train.resume_from_onnx import reader_from_onnx
from datasets.train.teachers import Chances, Opinions, targets
from datasets.train.temperature import calibrate
from vision.classify.dice import CLASSES, SIDE
from vision.photo import Pixels

Rng = np.random.Generator
Batch = tuple[NDArray[np.uint8], Chances]
_Learned = tuple[StoredCrop, Chances]
"""A crop, and the teachers' output for it."""

_SLOWER = 0.6
"""Learning rate of the layers pretrained on COCO, over that of the head."""
_MEAN = 0.9985
"""Decay of the moving average of the weights, per step."""
_CHUNKS, _CHANGED, _EVERY = 60, 8, 40
"""Files of drawn crops in memory at a time; how many of them are replaced, and after how many batches."""
_SAVED = 500
"""Steps between two checkpoints."""
_PROCESSES = 2
_NOTHING_SAID: Chances = np.zeros(len(CLASSES), np.float32)
"""The teachers' output for a crop where there are no teachers."""
_FEWEST_APART = 300
"""Held-out crops needed to fit a temperature: the crops of one person's dice are too few."""


def train(
    recipe: Mapping[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    """Train as the recipe says, from `out`'s last checkpoint if there is one, calibrate, and export to ONNX.

    Args:
        recipe: see datasets/recipes/dice.yaml; `taught` is the weight of the teachers' output in the targets.
        pictures: photos and scenes to cut crops from, unless `options.cuts` names a file of crops of photos.
        out: where all is written.
        options: `start` (COCO's weights), `drawn` (folders), `cuts`, `threads`, `workers`, `steps` (None: the recipe's).
    """
    import torch

    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)  # a fork while its threads are at work may hang
    torch.manual_seed(0)
    crops, folders = _crops(pictures, out, options, recipe)
    apart = [crop for crop in crops if crop.held_out]
    side, opinions = _side(recipe), Opinions(out / "said") if "taught" in recipe else None
    said = opinions.of(options.cuts or out / "cuts.npz", crops, _PROCESSES) if opinions and crops else None
    sampler = Sampler(crops, folders, recipe, side, said, opinions)
    learning = begin(recipe, options.start, options.steps or recipe["steps"], _some(sampler))
    learning.resume(out / "last.pt")
    left, seed = learning.left, int(recipe.get("seed", 17))
    for pixels, target in track(_loaded(sampler, left, options.workers, seed), "training on dice", len(left)):
        learning.learn(torch.nn.functional.cross_entropy(learning.answers(tensor(pixels)), target))
        if learning.step % _SAVED == 0 or learning.step == learning.steps:
            told = f"loss {learning.recent:.4f}  {report(learning.average, apart, side)}"
            print(f"{learning.step}/{learning.steps}  {told}", flush=True)
            learning.keep(out / "last.pt")
    if len(apart) >= _FEWEST_APART:
        _calibrated(learning.average, apart, side, out, beside=bool(recipe.get("beside")))
    return export(learning.average, (side, side), out / f"{recipe['name']}.onnx")


def _side(recipe: Mapping[str, Any]) -> int:
    """Side of the network's input in pixels."""
    return int(recipe.get("side", SIDE))


def _calibrated(net: Any, apart: Sequence[StoredCrop], side: int, out: Path, *, beside: bool) -> None:
    """Fit and write the temperature; for a network used `beside` the shipped classifier, also the weights of both."""
    answers, labels = logits(net, _views(apart, side)), np.array([crop.label for crop in apart])
    temperature = calibrate(answers, labels, out)
    if beside:
        calibrate(answers, labels, out, **pool_weights(net, apart, side, temperature))


def _some(sampler: Sampler) -> Any:
    """Some inputs for measuring batch statistics (n x 3 x side x side)."""
    return tensor(sampler.batch(0, np.random.default_rng(3))[0])


def _crops(
    pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace, recipe: Mapping[str, Any]
) -> tuple[list[StoredCrop], list[Path]]:
    """The crops of photos, and the folders of drawn crops and of crops of scenes; missing crops are cut."""
    scenes = [picture for picture in pictures if picture.source == "renders"]
    as_photos = int(recipe.get("scenes_as_photos", 0))
    photos = [picture for picture in pictures if picture.source != "renders"] + scenes[:as_photos]
    scenes = [] if as_photos else scenes
    cuts, folders = options.cuts or out / "cuts.npz", list(options.drawn or [])
    if photos:
        photo_crops(photos, cuts, _PROCESSES)
    if scenes:
        scene_crops(scenes, out / "scenes")
        folders.append(out / "scenes")
    crops = crop_files.read(cuts) if cuts.exists() else []
    if not crops and not folders:
        raise SystemExit("no training data: give --drawn (python -m datasets.generate.drawn), --photos or --cuts")
    return crops, folders


class Sampler:
    """Makes batches: a fixed share of drawn crops; the rest from photos, each source with its share."""

    def __init__(
        self,
        crops: Sequence[StoredCrop],
        folders: Sequence[Path],
        recipe: Mapping[str, Any],
        side: int = SIDE,
        said: Chances | None = None,
        opinions: Opinions | None = None,
    ) -> None:
        """Sort the crops by source and class. Held-out crops are skipped.

        Args:
            crops: of photos.
            folders: folders of files of drawn crops, sampled equally often.
            recipe: see datasets/recipes/dice.yaml.
            side: side of the batches' crops in pixels.
            said: with teachers, their output for each of `crops` (n x classes).
            opinions: with teachers, their output for drawn crops.
        """
        groups: dict[str, dict[int, list[_Learned]]] = defaultdict(lambda: defaultdict(list))
        for crop, row in zip(crops, [_NOTHING_SAID] * len(crops) if said is None else said, strict=True):
            if not crop.held_out:
                groups[_group(crop)][crop.label].append((crop, row))
        shares = {name: float(recipe["shares"].get(name, 0)) for name in groups}
        self._names = [name for name, share in shares.items() if share > 0]
        total = sum(shares.values())
        self._weights = [shares[name] / total for name in self._names]
        self._groups = {name: [groups[name][label] for label in sorted(groups[name])] for name in self._names}
        self._folders, self._batch = list(folders), int(recipe["batch"])
        share = float(recipe["drawn"]) if self._names else 1.0
        self._from_drawn = round(self._batch * share) if self._folders else 0
        self._open: list[list[_Learned]] = []
        self._worse = float(recipe.get("worse", 0.0))
        self._side, self._opinions = side, opinions
        self._taught, self._smoothing = float(recipe.get("taught", 0.0)), float(recipe["smoothing"])

    def batch(self, step: int, rng: Rng) -> Batch:
        """Crops (batch x side x side x 3) and their target probabilities (batch x classes).

        Raises:
            SystemExit: a folder of drawn crops holds none.
        """
        if self._from_drawn and (step % _EVERY == 0 or not self._open):
            self._renew(rng)
        chosen = [self._drawn(rng) if k < self._from_drawn else self._cut(rng) for k in range(self._batch)]
        views: list[Pixels] = [varied(crop, rng, self._side, self._worse) for crop, _ in chosen]
        labels, said = np.array([crop.label for crop, _ in chosen], np.int64), np.stack([row for _, row in chosen])
        return np.stack(views), targets(labels, said, self._taught, self._smoothing)

    def _renew(self, rng: Rng) -> None:
        """Keep a few files open and replace some at random, so that files drawn late are sampled as often as early ones."""
        files = [sorted(folder.glob("*.npz")) for folder in self._folders]
        if not all(files):
            raise SystemExit(
                f"no drawn crops in {' or '.join(map(str, self._folders))}: python -m datasets.generate.drawn"
            )
        most = min(_CHUNKS, sum(map(len, files)))
        places = [*range(len(self._open), most), *rng.integers(most, size=min(_CHANGED, most)).tolist()]
        for place in places:
            some = files[place % len(files)]
            chunk = self._read(some[int(rng.integers(len(some)))])
            if place < len(self._open):
                self._open[place] = chunk
            else:
                self._open.append(chunk)

    def _read(self, file: Path) -> list[_Learned]:
        crops = crop_files.read(file)
        said = self._opinions.of(file, crops) if self._opinions else [_NOTHING_SAID] * len(crops)
        return list(zip(crops, said, strict=True))

    def _drawn(self, rng: Rng) -> _Learned:
        chunk = self._open[int(rng.integers(len(self._open)))]
        return chunk[int(rng.integers(len(chunk)))]

    def _cut(self, rng: Rng) -> _Learned:
        """A crop of a source drawn by its share, and within that of a class drawn uniformly."""
        classes = self._groups[self._names[int(rng.choice(len(self._names), p=self._weights))]]
        crops = classes[int(rng.integers(len(classes)))]
        return crops[int(rng.integers(len(crops)))]


def _group(crop: StoredCrop) -> str:
    """The source that a crop is sampled by; false detections are one source, wherever they were found."""
    return "nothing" if crop.label == NOTHING and crop.source not in (MISTAKEN, LOOK_ALIKE) else crop.source


def _loaded(sampler: Sampler, steps: range, workers: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """The batches of some steps as tensors, made by `workers` other processes (0: by this one)."""
    import torch

    class Batches(torch.utils.data.IterableDataset):
        """Each process makes the batches of its own steps."""

        def __iter__(self) -> Iterator[tuple[Any, Any]]:
            worker = torch.utils.data.get_worker_info()
            number, count = (worker.id, worker.num_workers) if worker else (0, 1)
            for step in steps[number::count]:
                pixels, target = sampler.batch(step // count, np.random.default_rng((seed, step)))
                yield torch.from_numpy(pixels), torch.from_numpy(target)

    yield from torch.utils.data.DataLoader(Batches(), batch_size=None, num_workers=workers)


def begin(recipe: Mapping[str, Any], start: Path | str | None, steps: int, some: Any = None) -> Learning:
    """Begin with COCO's weights, with those of an exported reader of dice (.onnx), or, for a recipe with `body: lite` and without
    a start, with ImageNet's.

    Args:
        recipe: see datasets/recipes/dice.yaml.
        start: the weights.
        steps: of the whole training.
        some: some inputs (n x 3 x side x side); needed where `start` is an exported reader.

    Raises:
        SystemExit: there is no start.
    """
    net, rate = _net(recipe, start, some), float(recipe["rate"])
    body = [weight for weight in net.body.parameters() if weight.requires_grad]
    slow = {id(weight) for weight in net.body.parameters()}
    head = [weight for weight in net.parameters() if id(weight) not in slow]
    rates = ((body, rate * _SLOWER), (head, rate))
    return Learning(net, steps, rates, decay=float(recipe["decay"]), warm_up=float(recipe["warm_up"]), mean=_MEAN)


def _net(recipe: Mapping[str, Any], start: Path | str | None, some: Any) -> Any:
    from datasets.train import dice_net

    if recipe.get("body") == "lite":
        from datasets.train.lite_net import lite_net

        lite = lite_net(int(recipe["side"]), len(CLASSES))
        if start is not None:
            reader_from_onnx(lite, Path(start), some)
        return lite
    if start is None:
        raise SystemExit("give --start: a YOLO11n checkpoint with COCO's weights, or a dice reader as .onnx")
    exported = Path(start).suffix == ".onnx"
    net = dice_net.dice_net("yolo11n.yaml" if exported else start, _side(recipe), len(CLASSES))
    if exported:
        reader_from_onnx(net, Path(start), some)
    return net


def _views(crops: Sequence[StoredCrop], side: int) -> list[Pixels]:
    return [plain(crop, side) for crop in crops]


def report(net: Any, crops: Sequence[StoredCrop], side: int = SIDE) -> str:
    """The accuracy on held-out crops by source, with false detections as one source."""
    if not crops:
        return "no held-out crops"
    right: dict[str, list[bool]] = defaultdict(list)
    for crop, answer in zip(crops, logits(net, _views(crops, side)).argmax(1), strict=True):
        right[_group(crop)].append(bool(answer == crop.label))
    return "  ".join(f"{name} {np.mean(ok):.3f} ({len(ok)})" for name, ok in sorted(right.items()))
