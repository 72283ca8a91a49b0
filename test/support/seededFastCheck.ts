import { configureGlobal } from 'fast-check';

// Every run of the suite draws the same cases, so that a change fails for what it changes. `DRIFTLESS_FC_SEED` draws others.
configureGlobal({ seed: Number(process.env.DRIFTLESS_FC_SEED ?? 1) });

export * from 'fast-check';
