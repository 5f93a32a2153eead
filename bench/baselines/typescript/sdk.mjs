// An echo server on the first official TypeScript SDK: no session, plain JSON, no check. Its argument is the port.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const inputSchema = { text: z.string() };

async function answer(request, response) {
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST" }).end();
    return;
  }
  const server = new McpServer({ name: "typescript-sdk-echo", version: "1.0.0" });
  server.registerTool("echo", { description: "Send the text back", inputSchema }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

createServer(answer).listen(Number(process.argv[2]), "127.0.0.1");
