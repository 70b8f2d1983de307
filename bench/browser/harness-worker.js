// Runs one task: a piece of Python in a plain Pyodide with numpy and Hinny.
self.onmessage = async ({ data: task }) => {
  try {
    self.postMessage({ value: await runPython(task) });
  } catch (error) {
    self.postMessage({ error: String(error?.message ?? error) });
  }
};

async function runPython({ python }) {
  const { loadPyodide } = await import("/runtime/pyodide.mjs");
  const pyodide = await loadPyodide({ indexURL: "/runtime/", packages: ["numpy"] });
  const core = await (await fetch("/runtime/hinny-core.zip")).arrayBuffer();
  pyodide.unpackArchive(core, "zip");
  const value = await pyodide.runPythonAsync(python);
  return value?.toJs ? value.toJs({ dict_converter: Object.fromEntries }) : value;
}
