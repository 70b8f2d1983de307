// Runs one task: a piece of Python in a plain Pyodide with numpy and Hinny, or a JavaScript module's default.
self.onmessage = async ({ data: task }) => {
  try {
    self.postMessage({ value: await (task.module ? runModule(task) : runPython(task)) });
  } catch (error) {
    self.postMessage({ error: String(error?.message ?? error) });
  }
};

async function runModule({ module, arguments: args }) {
  return (await import(module)).default(...args);
}

async function runPython({ python }) {
  const { loadPyodide } = await import("/runtime/pyodide.mjs");
  const pyodide = await loadPyodide({ indexURL: "/runtime/", packages: ["numpy"] });
  const core = await (await fetch("/runtime/hinny-core.zip")).arrayBuffer();
  pyodide.unpackArchive(core, "zip");
  const value = await pyodide.runPythonAsync(python);
  return value?.toJs ? value.toJs({ dict_converter: Object.fromEntries }) : value;
}
