import { render } from "preact";
import { App } from "./app";
import { connect, refresh } from "./link";
import { listen, stayAwake } from "./senses";
import { apply } from "./settings";
import "./style/base.css";
import "./style/table.css";
import "./style/records.css";
import "./style/board.css";
import "./style/sheets.css";
import "./style/setup.css";

apply();
const page = document.getElementById("page");
if (page) render(<App />, page);
void refresh();
connect();
listen();
stayAwake();
