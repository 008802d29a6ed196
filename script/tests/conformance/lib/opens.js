export const beside = open('./words.txt');
export const above = () => open('../lib/words.txt');
