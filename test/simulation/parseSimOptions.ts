import { randomInt } from 'node:crypto';
import { RELEASE_BEFORE } from '../releases/KeptRelease.ts';
import { MUTATIONS } from './mutations.ts';
import { CLOUD_MUTATIONS } from './cloud/cloudMutations.ts';
import { RELEASE_MUTATIONS } from './cloud/releaseMutations.ts';

export const USAGE = `usage: npm run sim -- [--cloud [--mixed FILE]] [--seeds N] [--seed S] [--mutate NAME] [--trace]
       npm run sim -- [--cloud] --list-mutations

  --cloud           run the adapters of AWS over models of its services, and not the embedded ones

  --mixed FILE      run another release beside this one, over the same tables: \`before\`, the kept one, or a file of \`npm run keep-release\`

  --seeds N         how many seeds to run, one after the other (1)
  --seed S          the first of them; a random one if absent
  --mutate NAME     run with a deliberate defect, until a seed finds it
  --trace           print what led to a failure, as far as it is kept, and not only its end
  --list-mutations  name the defects`;

const MAX_SEED = 0xffffffff;

/** A deliberate defect, as it is shown. */
interface NamedDefect {
  readonly name: string;
  readonly what: string;
}

export type SimOptions =
  | { readonly run: 'help' }
  | { readonly run: 'list'; readonly isCloud: boolean }
  | { readonly run: 'usage'; readonly problem: string }
  | {
      readonly run: 'seeds';
      readonly seeds: number;
      readonly seed: number;
      readonly isCloud: boolean;
      readonly mutation: NamedDefect | undefined;
      /** The file of the release that runs beside this one. */
      readonly mixed: string | undefined;
      readonly isTraced: boolean;
    };

/** The command line as options; what cannot be read comes back as `usage`. Draws the first seed if none is given. */
export function parseSimOptions(args: readonly string[]): SimOptions {
  let seeds = 1;
  let seed: number | undefined;
  const isCloud = args.includes('--cloud');
  const mutations: readonly NamedDefect[] = isCloud ? [...CLOUD_MUTATIONS, ...RELEASE_MUTATIONS] : MUTATIONS;
  let mutation: NamedDefect | undefined;
  let isTraced = false;
  let mixed: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const option = args[at];
    if (option === '--list-mutations') return { run: 'list', isCloud };
    if (option === '--help') return { run: 'help' };
    if (option === '--cloud') continue;
    if (option === '--trace') {
      isTraced = true;
      continue;
    }
    if (option !== '--seeds' && option !== '--seed' && option !== '--mutate' && option !== '--mixed')
      return usage(`unknown option ${JSON.stringify(option)}`);
    at += 1;
    const value = args[at];
    if (value === undefined) return usage(`${option} needs a value`);
    if (option === '--mixed') {
      if (!isCloud) return usage('--mixed needs --cloud');
      mixed = value === 'before' ? RELEASE_BEFORE : value;
      continue;
    }
    if (option === '--mutate') {
      mutation = mutations.find(({ name }) => name === value);
      if (!mutation) return usage(`there is no mutation ${JSON.stringify(value)}; --list-mutations names them`);
      continue;
    }
    const least = option === '--seeds' ? 1 : 0;
    if (!/^\d{1,10}$/.test(value) || Number(value) < least || Number(value) > MAX_SEED)
      return usage(`${option} needs a whole number from ${least} to ${MAX_SEED}, not ${JSON.stringify(value)}`);
    if (option === '--seeds') seeds = Number(value);
    else seed = Number(value);
  }
  return { run: 'seeds', seeds, seed: seed ?? randomInt(MAX_SEED - seeds + 1), isCloud, mutation, mixed, isTraced };
}

function usage(problem: string): SimOptions {
  return { run: 'usage', problem };
}
