import { defineConfig } from "vite";

// The page is served by the Python program from `web/static/app`; `npm run dev` serves it from here
// and hands everything else to a running `boardside play` on its default port.
const program = "http://127.0.0.1:8765";

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "../static/app",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      "/api": program,
      "/socket.io": { target: program, ws: true },
    },
  },
});
