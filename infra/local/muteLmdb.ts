/**
 * Keeps lmdb from writing a failed commit to the terminal. It does so with `console.error`, with a stack and without saying what was written, although it also
 * rejects the write. For a process of its own only: a program that uses a cluster owns its console.
 */
export function muteLmdb(): void {
  const write = console.error.bind(console);
  console.error = (...values: unknown[]) => {
    if (!isLmdbError(values[0])) write(...values);
  };
}

/** Errors of lmdb have the number of the system's error as their code; those of Node have a name there. */
function isLmdbError(value: unknown): boolean {
  return value instanceof Error && typeof (value as Error & { readonly code?: unknown }).code === 'number';
}
