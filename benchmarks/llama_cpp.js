// Tokens written greedily by llama.cpp on one thread, with the processor time of each round, as JSON.
// Arguments: the file, the prompt, how many tokens, how many rounds. Runs in a folder that has node-llama-cpp.
import { cpuUsage, stdout } from "node:process";
import { getLlama } from "node-llama-cpp";

process.execArgv.length = 0; // node-llama-cpp tries its library in a process with the same options
const [modelPath, prompt, count, rounds] = process.argv.slice(2);
const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: "error" });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 256, threads: 1 });
const sequence = context.getSequence();
const seconds = [];
let written = [];
for (let round = 0; round < Number(rounds); round++) {
    await sequence.clearHistory();
    written = [];
    const before = cpuUsage();
    for await (const token of sequence.evaluate(model.tokenize(prompt), {
        temperature: 0,
        yieldEogToken: true,
    })) {
        written.push(token);
        if (written.length === Number(count)) break;
    }
    const spent = cpuUsage(before);
    seconds.push((spent.user + spent.system) / 1e6);
}
stdout.write(JSON.stringify({ seconds, written }));
process.exit(0);
