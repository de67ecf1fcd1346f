"""`python -m companion` is the `boardside` command."""

from companion.cli import main

if __name__ == "__main__":
    main()
