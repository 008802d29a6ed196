export const opened = open('../words.txt');
export const read = (path) => open(path);
