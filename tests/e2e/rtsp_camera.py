"""`/usr/bin/python3 tests/e2e/rtsp_camera.py PICTURE` sends a picture as an IP camera does: RTSP, H.264.

Another picture may take its place meanwhile. Needs GStreamer and its RTSP server, which Debian has for its own Python only: apt
install gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly. Prints the address once the
camera is on.
"""

from __future__ import annotations

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 - only after the versions are chosen

_PIPELINE = (
    '( multifilesrc location="{}" loop=true caps=image/jpeg,framerate=10/1 ! jpegdec ! videoconvert ! video/x-raw,format=I420 '
    "! x264enc tune=zerolatency speed-preset=ultrafast bitrate=8000 key-int-max=10 ! rtph264pay name=pay0 pt=96 )"
)


def main() -> None:
    """Send until killed."""
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(_PIPELINE.format(sys.argv[1]))
    factory.set_shared(True)
    server.get_mount_points().add_factory("/table", factory)
    server.attach(None)
    print(f"rtsp://127.0.0.1:{server.get_bound_port()}/table", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
