import { PRICES } from '../emulation/bill/prices.ts';
import { type AnyStep, STEPS } from './STEPS.ts';

const idsOf = (matches: (step: AnyStep) => boolean) => STEPS.filter(matches).map(({ id }) => id);
const steps = idsOf(({ optIn }) => optIn === undefined).join(', ');
const costing = STEPS.filter(({ optIn }) => optIn?.kind === 'costs').map(line);
const noisy = STEPS.filter(({ optIn }) => optIn?.kind === 'noisy').map(line);

function line({ id, optIn }: AnyStep): string {
  return `  ${id.padEnd(14)}${optIn?.why}\n`;
}

/** The help of `npm run verify`. */
export const VERIFY_HELP = `Look at a deployed stack: apply, roll and watch a Deployment, read what AWS knows of it, and compare all with what is promised.

Usage
  npm run verify -- --context NAME [OPTIONS]

Options
  --context NAME       the context of the kubeconfig (the stack's output Kubeconfig has it)
  --kubeconfig PATH    that kubeconfig; otherwise those of KUBECONFIG, or ~/.kube/config
  --stack NAME         the stack's name; driftless by default
  --profile NAME       the profile of the AWS CLI
  --region REGION      the region; otherwise that in the server's name, or of AWS_REGION
  --only STEP,…        only these steps
  --with STEP,…        also these steps, which disturb others or take long
  --yes                agree to what costs money; otherwise it is asked in a terminal, and left out elsewhere
  --report FILE        where the report is written; driftless-verify.md by default
  --show-account       have the account's number in the report
  --policy             print the IAM policy that all steps need
  -h, --help           show this help

Steps that are always run
  ${steps}

Steps that cost money
${costing.join('')}
Steps that need --with
${noisy.join('')}
Everything is made in a namespace of the run's own, and removed at the end, also after Ctrl-C. What else it costs is below a cent: requests, syncs, a few queries of
Logs Insights ($${PRICES.logsScannedGb} a GB that they read). A server on this machine has no account behind it; AWS_ENDPOINT_URL names one.

Exit code: 0 if nothing has failed, 1 if a step has failed, 2 for wrong options, an unknown context or stack, or missing credentials, 130 after Ctrl-C.
`;
