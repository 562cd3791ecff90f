import { render } from "preact";
import { startKeys } from "./keys.ts";
import { startRouter } from "./router.ts";
import { learnMe } from "./session.ts";
import { Shell } from "./shell/shell.tsx";
import "./style/index.css";

// At once, so that the screen's file and the answer are on their way together.
startRouter();
startKeys();
void learnMe();
render(<Shell />, document.getElementById("console")!);
