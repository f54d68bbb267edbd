// What the pages of the camera say.

export const strings = {
  unsure: "The camera is not sure",
  choice: "Choose first",
  yes: "Yes, that’s right",
  no: "No throw: leave it out",
  noDie: "no die",
  die: (number) => `Die ${number}`,
  film: "Score with this phone’s camera",
  picture: "The roll in doubt",
  asRead: (values) => `Read: ${values}`,
  more: (count) => (count === 1 ? "One more roll waits." : `${count} more rolls wait.`),
  watching: "Watching. Throw when you like.",
  rolling: "Dice are rolling …",
  reading: "Reading …",
  waits: "Waiting for an answer",
  lost: "Connection lost. Reconnecting…",
  replaced: "Another phone films this game now. Start the camera to take over.",
  denied: "The camera is not available. Allow it in the browser’s settings, then start it again.",
  ended: "The camera has stopped. Start it again.",
  notJoined: "This phone has not joined this game. Open the link that the players gave you.",
  over: (winners) => `${winners} won.`,
};
