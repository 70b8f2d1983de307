/** Begin in a quiet moment after the page has loaded; a reader who saves data begins it with the focus. */
export function inAQuietMoment(begin: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  if (connection?.saveData || /2g/u.test(connection?.effectiveType ?? "")) return;
  const idle = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 3000 });
    else setTimeout(begin, 600);
  };
  if (document.readyState === "complete") idle();
  else window.addEventListener("load", idle, { once: true });
}
