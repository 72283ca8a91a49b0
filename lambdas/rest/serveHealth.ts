const PROBES = new Set(['healthz', 'livez', 'readyz']);

/**
 * Answers `/healthz`, `/livez`, `/readyz` and the single checks below them, in plain text; `undefined` for any other path. A server that answers is live. It is
 * ready if `ready` resolves, and not if it rejects.
 */
export async function serveHealth(url: URL, ready: () => Promise<void>): Promise<Response | undefined> {
  const [probe = '', check, ...more] = url.pathname.split('/').filter(Boolean);
  if (!PROBES.has(probe) || more.length > 0) return undefined;
  const checks = probe === 'livez' ? ['ping'] : ['ping', 'storage'];
  if (check !== undefined && !checks.includes(check)) return undefined;
  const results = await Promise.all(
    checks
      .filter((one) => check === undefined || one === check)
      .map(async (name) => ({ name, ok: await passes(name, ready) })),
  );
  const ok = results.every((result) => result.ok);
  const verbose = url.searchParams.has('verbose');
  if (ok && !verbose) return text('ok', 200);
  const lines = results.map(({ name, ok: passed }) =>
    passed ? `[+]${name} ok` : `[-]${name} failed: reason withheld`,
  );
  return text(`${lines.join('\n')}\n${probe} check ${ok ? 'passed' : 'failed'}\n`, ok ? 200 : 500);
}

async function passes(name: string, ready: () => Promise<void>): Promise<boolean> {
  if (name === 'ping') return true;
  try {
    await ready();
    return true;
  } catch {
    return false;
  }
}

function text(body: string, status: number): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
  return new Response(body, { status, headers });
}
