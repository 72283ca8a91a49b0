import { afterAll, afterEach, expect } from 'vitest';
import { watchAnswers } from './watchAnswers.ts';

/** What measures the server's time and memory must not be slowed down by reading its answers. */
const isMeasured = expect.getState().testPath?.includes('/test/fuzz/') === true;

/** A test fails if an answer that the API gave during it differs from what Kubernetes publishes of its types. */
const misfits: string[] = [];
const stop = isMeasured ? () => {} : watchAnswers((misfit) => misfits.push(misfit));
afterEach(() => expect(misfits.splice(0)).toEqual([]));
afterAll(stop);
