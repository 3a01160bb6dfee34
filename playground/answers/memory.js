// The memory of a changed program, in megabytes. Neither engine can get more.

self.MEMORY = 512;

const { grow } = WebAssembly.Memory.prototype;

WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > self.MEMORY << 20) throw new RangeError("The limit is reached.");
  return grow.call(this, pages);
};
