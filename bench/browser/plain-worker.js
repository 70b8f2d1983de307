// What one writes without Hinny: Pyodide's own loader, numpy as a package, one result.
import { loadPyodide } from "/runtime/pyodide.mjs";

const pyodide = await loadPyodide({ indexURL: "/runtime/" });
await pyodide.loadPackage("numpy", { messageCallback: () => {} });
self.postMessage(pyodide.runPython("import numpy as np; int(np.arange(10, dtype=np.float32).sum())"));
