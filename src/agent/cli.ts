process.stdout.write('opbench\n');
