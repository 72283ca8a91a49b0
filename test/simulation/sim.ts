import { CLOUD_MUTATIONS } from './cloud/cloudMutations.ts';
import { MUTATIONS } from './mutations.ts';
import { parseSimOptions, USAGE } from './parseSimOptions.ts';
import { reportSeeds } from './reportSeeds.ts';

const options = parseSimOptions(process.argv.slice(2));
switch (options.run) {
  case 'usage':
    console.error(options.problem);
    console.error(USAGE);
    process.exitCode = 2;
    break;
  case 'help':
    console.log(USAGE);
    break;
  case 'list':
    for (const { name, what } of options.isCloud ? CLOUD_MUTATIONS : MUTATIONS)
      console.log(`${name.padEnd(28)}${what}`);
    break;
  case 'seeds':
    process.exitCode = await reportSeeds(options, (line) => console.log(line));
    break;
}
