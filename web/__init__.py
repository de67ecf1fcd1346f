"""The tablet page: Flask, Flask-SocketIO and the built TypeScript page."""
