"""The virtual table as a frame source."""

from vision.sources.base import Clock, Frame, SystemClock
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.world import Command, World

#: Frames a second of the virtual camera.
FPS = 10.0


class VirtualSource:
    """Frames of a world that goes on by the clock."""

    def __init__(self, style: TableStyle, seed: int, clock: Clock | None = None, fps: float = FPS) -> None:
        self.world = World(style, seed)
        self.world.set_up()
        self.renderer = Renderer(style)
        self._clock = clock or SystemClock()
        self._step_ns = round(1e9 / fps)
        self._due_ns = self._clock.now_ns()

    def do(self, command: Command) -> None:
        """Somebody at the table does something, after what already waits."""
        self.world.do(command)

    def read(self) -> Frame | None:
        now_ns = self._clock.now_ns()
        # A machine that cannot keep up shows fewer frames, not a slower world.
        self._due_ns = max(self._due_ns + self._step_ns, now_ns)
        self._clock.sleep((self._due_ns - now_ns) / 1e9)
        scene = self.world.scene_at(self._due_ns / 1e9)
        return Frame(self.renderer.render(scene, self.world.moment()), self._due_ns)

    def close(self) -> None:
        return
