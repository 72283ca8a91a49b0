/** The message of a Status. Pure. */
export function statusMessage(text: string, code: number): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : `the API answers ${code}`;
  } catch {
    return text.trim() === '' ? `the API answers ${code}` : text.trim().slice(0, 300);
  }
}
