"""Carries the sound of one video into another: copied where MP4 allows it, else re-encoded as AAC."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import av
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer
from av.packet import Packet

_TAKEN = ("aac", "mp3", "ac3", "eac3", "alac", "opus")
"""Codecs that players support in MP4."""
_AAC_FRAME = 1024
"""Samples per AAC frame."""
_AAC_LAYOUTS = ("mono", "stereo", "2.1", "4.0", "5.0", "5.1", "6.1", "7.1")
"""AAC layouts by number of channels: AVI and Matroska do not store the layout of uncompressed sound. More become stereo."""
_AAC_RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
"""Sample rates that AAC supports; anything else becomes the usual 48,000."""
_USUAL_RATE = 48000
_ANEW = Fraction(1, 2)
"""Seconds by which a packet must precede the end of the last one for a restart of timestamps; less is an overlap."""


@dataclass(slots=True)
class _Track:
    """Target of a track; `resampler` only if it is re-encoded.

    Attributes:
        end: of its last packet, in its ticks; None: there was none.
        later: ticks added to packets whose timestamps restart, where films were joined.
    """

    to: AudioStream
    resampler: AudioResampler | None
    end: int | None = None
    later: int = 0

    def move(self, packet: Packet[Any]) -> None:
        """Move a packet to the end of the one before it, if its timestamps restart."""
        assert packet.pts is not None
        assert packet.dts is not None
        packet.pts, packet.dts = packet.pts + self.later, packet.dts + self.later
        if self.end is not None and packet.dts < self.end - _ANEW / packet.time_base:
            more = self.end - packet.dts
            self.later += more
            packet.pts, packet.dts = packet.pts + more, packet.dts + more
        self.end = packet.dts + (packet.duration or 0)


class Sound:
    """All audio tracks of a part of a video whose codecs are known here, unlike that of an iPhone's spatial sound."""

    def __init__(
        self, source: InputContainer | None, out: OutputContainer, shift: Fraction, length: float | None
    ) -> None:
        """Add the tracks to `out`.

        Args:
            source: of the sound; None: no sound.
            out: the target video.
            shift: time of `source` that becomes 0 in `out`, in seconds.
            length: end in `out`, in seconds; None: to the end of the source.
        """
        self._out, self._shift, self._length = out, shift, length
        streams = _known(source) if source else []
        self._tracks = {stream.index: _track(stream, out) for stream in streams}
        self._packets: Iterator[Packet[Any]] = source.demux(*streams) if source and streams else iter(())
        self._held: Packet[Any] | None = None

    def until(self, time: float) -> None:
        """Copy packets that start before this time."""
        while packet := self._held or next(self._packets, None):
            held, self._held = self._held, None
            if packet.pts is None or packet.dts is None:
                continue
            if packet is not held:
                self._tracks[packet.stream.index].move(packet)
            if self._begins(packet) > time:
                self._held = packet
                return
            if self._wanted(packet):
                self._hand_over(packet)

    def finish(self) -> None:
        """Copy the rest."""
        self.until(inf)
        for track in self._tracks.values():
            if track.resampler:
                self._encode(track, None)
                self._out.mux(track.to.encode(None))

    def _begins(self, packet: Packet[Any]) -> Fraction:
        assert packet.pts is not None
        return packet.pts * packet.time_base - self._shift

    def _wanted(self, packet: Packet[Any]) -> bool:
        begins = self._begins(packet)
        # Encoder delay before the start of a whole file is inaudible; players skip it.
        heard = begins + (packet.duration or 0) * packet.time_base > 0 or self._shift <= 0
        return heard and (self._length is None or begins < self._length)

    def _hand_over(self, packet: Packet[Any]) -> None:
        track = self._tracks[packet.stream.index]
        if track.resampler:
            with suppress(av.error.InvalidDataError):
                for frame in packet.decode():
                    assert isinstance(frame, AudioFrame)
                    self._shifted(frame)
                    self._encode(track, frame)
            return
        assert packet.pts is not None
        assert packet.dts is not None
        ticks = round(self._shift / packet.time_base)
        packet.pts, packet.dts = packet.pts - ticks, packet.dts - ticks
        packet.stream = track.to
        self._out.mux(packet)

    def _shifted(self, frame: AudioFrame) -> None:
        if frame.pts is not None and frame.time_base:
            frame.pts -= round(self._shift / frame.time_base)

    def _encode(self, track: _Track, frame: AudioFrame | None) -> None:
        assert track.resampler
        for piece in track.resampler.resample(frame):
            self._out.mux(track.to.encode(piece))


def loses_sound(source: InputContainer) -> bool:
    """Whether it has sound, but only in codecs that are unknown here."""
    return bool(source.streams.audio) and not _known(source)


def _known(source: InputContainer) -> list[AudioStream]:
    return [each for each in source.streams.audio if each.codec_context]


def _track(stream: AudioStream, out: OutputContainer) -> _Track:
    if stream.codec_context.codec.canonical_name in _TAKEN:
        return _Track(out.add_stream_from_template(stream), None)
    context = stream.codec_context
    layout = _AAC_LAYOUTS[context.channels - 1] if context.channels <= len(_AAC_LAYOUTS) else "stereo"
    rate = context.sample_rate if context.sample_rate in _AAC_RATES else _USUAL_RATE
    return _Track(out.add_stream("aac", rate=rate, layout=layout), AudioResampler("fltp", layout, rate, _AAC_FRAME))
