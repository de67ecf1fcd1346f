"""Camera pictures: the evidence of the log, and what the camera sees now."""

from flask import Blueprint, Response

from companion.session import Session
from web.errors import WebError


def pictures_api(session: Session) -> Blueprint:
    """`/api/picture/ID.jpg` and `/api/frame.jpg`."""
    api = Blueprint("pictures", __name__)

    @api.get("/picture/<picture>.jpg")
    def picture(picture: str) -> Response:
        jpeg = session.picture(picture)
        if jpeg is None:
            raise WebError("unknown_picture", "This picture was not kept.")
        # A picture never changes: its id is its content.
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400, immutable"})

    @api.get("/frame.jpg")
    def frame() -> Response:
        jpeg = session.frame()
        if jpeg is None:
            raise WebError("no_camera", "The camera gives no picture at the moment.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    return api
